// Run by mongosh inside the container at each start. Before there is an account, MongoDB lets a caller of its own machine
// make the set and the first account; afterwards this signs in with it.
const { readFileSync } = require('node:fs');
const secret = (name) => readFileSync(`/run/secrets/${name}`, 'utf8').trim();

const admin = db.getSiblingDB('admin');
const root = { user: 'root', pwd: secret('mongo-root-password') };

if (!admin.hello().setName) rs.initiate({ _id: 'portico', members: [{ _id: 0, host: 'mongo:27017' }] });
while (!admin.hello().isWritablePrimary) sleep(200);

try {
  admin.auth(root);
} catch {
  admin.createUser({ ...root, roles: ['root'] });
  admin.auth(root);
}

const portico = db.getSiblingDB('portico');
const account = { pwd: secret('mongo-password'), roles: ['readWrite'] };
if (portico.getUser('portico'))
  portico.updateUser('portico', account); // a new password needs a restart, nothing else
else portico.createUser({ user: 'portico', ...account });
