import { join, isAbsolute } from 'node:path';
import { runningApplication } from '../running-application.ts';

const system = {
  /** A path of the application; `applications/<name>/…` is beside it, as it was below the old root. */
  toAbsolute(path: string): string {
    if (isAbsolute(path)) return path;
    return runningApplication()?.toAbsolute(path) ?? join(process.cwd(), path);
  },
};

export default system;
export { system as 'module.exports' };
