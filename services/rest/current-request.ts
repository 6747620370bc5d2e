import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '#log.ts';

/** The id of the request whose handler is running: what is thrown outside its promise is still told apart by it. */
export const currentRequest = new AsyncLocalStorage<string>();

/**
 * Application code that throws in a callback, or leaves a rejection unhandled, is logged with its request and does not end
 * the process. The answer ends it.
 */
export function surviveApplicationFaults(log: Log): () => void {
  const survive = (fault: unknown) => {
    log.error('a fault outside any request handler', { request: currentRequest.getStore(), cause: fault });
  };
  process.on('unhandledRejection', survive);
  process.on('uncaughtException', survive);
  return () => {
    process.off('unhandledRejection', survive);
    process.off('uncaughtException', survive);
  };
}
