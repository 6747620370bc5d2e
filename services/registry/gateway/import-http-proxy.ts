import { createRequire } from 'node:module';
import util from 'node:util';
import type HttpProxy from 'http-proxy';

/** The quarantine of http-proxy 1.18: it reads `util._extend` while it loads, which would print DEP0060 at its first call. */
function load(): typeof HttpProxy {
  const old = Object.getOwnPropertyDescriptor(util, '_extend');
  Object.defineProperty(util, '_extend', { value: Object.assign, configurable: true, writable: true });
  try {
    return createRequire(import.meta.url)('http-proxy') as typeof HttpProxy;
  } finally {
    if (old) Object.defineProperty(util, '_extend', old);
  }
}

export const httpProxy = load();
