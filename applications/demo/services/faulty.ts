import { Service, type Routes } from 'portico';

/** Two ways to fail: an access-control error with a text, and any other error. */
export default class Faulty extends Service {
  override routes(routes: Routes) {
    routes.add('GET', '/forbidden', () => {
      throw Object.assign(new Error('Only members of the board may see this'), { code: 'rest.backend.403' });
    });
    routes.add('GET', '/broken', () => {
      throw new Error('the ledger is on fire');
    });
  }
}
