import { serverUrl } from '../support/servers/index.ts';
import { fileStoreContract } from './file-store.ts';
import { mongoPlace } from './mongo-place.ts';
import { objectStoreContract } from './object-store.ts';

const url = () => serverUrl('MONGO_URL');
objectStoreContract('MongoDB', mongoPlace('objects', url));
fileStoreContract('MongoDB', mongoPlace('files', url));
