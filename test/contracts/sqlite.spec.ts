import { busContract } from './bus.ts';
import { fileStoreContract } from './file-store.ts';
import { objectStoreContract } from './object-store.ts';
import { sqlitePlace } from './sqlite-place.ts';
import { stateStoreContract } from './state-store.ts';

objectStoreContract('SQLite', sqlitePlace('objects'));
stateStoreContract('SQLite', sqlitePlace('state'));
fileStoreContract('SQLite', sqlitePlace('files'));
busContract('SQLite', sqlitePlace('bus'));
