import { expect } from 'chai';
import { busContract } from './bus.ts';
import { fileStoreContract } from './file-store.ts';
import { objectStoreContract } from './object-store.ts';
import { inProcesses } from './place.ts';
import { sqlitePlace } from './sqlite-place.ts';
import { stateStoreContract } from './state-store.ts';

objectStoreContract('SQLite', sqlitePlace('objects'));
stateStoreContract('SQLite', sqlitePlace('state'));
fileStoreContract('SQLite', sqlitePlace('files'));
busContract('SQLite', sqlitePlace('bus'));

it('several processes make the same SQLite folder at the same moment', async () => {
  const place = await sqlitePlace('objects')();
  const task = { do: 'reserve', counter: 'n', times: 1 } as const;
  try {
    const reports = (await inProcesses(place, [task, task, task, task])) as number[][];
    expect(reports.flat().sort((a, b) => a - b)).to.deep.equal([1, 4, 7, 10]);
  } finally {
    await place.remove();
  }
});
