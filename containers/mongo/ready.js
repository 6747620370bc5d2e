// Ready when the account of Portico can sign in to a member that takes writes.
const { readFileSync } = require('node:fs');
db.auth('portico', readFileSync('/run/secrets/mongo-password', 'utf8').trim());
quit(db.hello().isWritablePrimary ? 0 : 1);
