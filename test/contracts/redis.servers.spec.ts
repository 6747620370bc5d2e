import { serverUrl } from '../support/servers/index.ts';
import { busContract } from './bus.ts';
import { redisPlace } from './redis-place.ts';
import { stateStoreContract } from './state-store.ts';

for (const [adapter, variable] of [
  ['Redis', 'REDIS_URL'],
  ['Redis Cluster', 'REDIS_CLUSTER_URL'],
] as const) {
  const url = () => serverUrl(variable);
  stateStoreContract(adapter, redisPlace(url, 'state'));
  busContract(adapter, redisPlace(url, 'bus'));
}
