import { readFileSync, realpathSync } from 'node:fs';
import { createRequire, registerHooks, type ResolveFnOutput, type ResolveHookContext } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { keepApplication, type RunningApplication } from './running-application.ts';
import { corePackages, isOldRoot, standIn, virtualModule } from './virtual-modules.ts';

type Next = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput;

const installation = resolve(import.meta.dirname, '../../..');
const ownCode = ['shared', 'services', 'bin', 'test', 'node_modules'].map((name) => href(join(installation, name)));
const requireHere = createRequire(import.meta.url);

function href(folder: string): string {
  return `${pathToFileURL(folder).href}/`;
}

/**
 * From now on, code of the application (and of those beside it) finds 'portico', the modules of older installations and the
 * packages these brought, for `import` and `require` alike. The answer ends that.
 */
export function registerApplication(folder: string, application: RunningApplication): () => void {
  const real = realpathSync(folder);
  const [inside, beside] = [href(real), href(dirname(real))];
  const isApplication = (url: string | undefined): boolean =>
    url !== undefined &&
    (url.startsWith(inside) || (url.startsWith(beside) && !ownCode.some((own) => url.startsWith(own))));
  const forget = keepApplication(application);
  const hooks = registerHooks({
    resolve(specifier, context, next: Next) {
      if (isApplication(context.parentURL)) {
        const found = resolveForApplication(specifier, context, next, real);
        return isApplication(found.url) ? withFormat(found, real) : found;
      }
      const found = next(specifier, context);
      return isApplication(found.url) ? withFormat(found, real) : found;
    },
  });
  return () => {
    hooks.deregister();
    forget();
  };
}

function resolveForApplication(
  specifier: string,
  context: ResolveHookContext,
  next: Next,
  folder: string,
): ResolveFnOutput {
  const virtual = virtualModule(specifier);
  if (virtual !== undefined) return { url: virtual, format: 'module-typescript', shortCircuit: true };
  if (isOldRoot(specifier)) throw missing(`'${specifier}' is not offered here; docs/services.md lists what is`);
  const name = corePackages.find((one) => specifier === one || specifier.startsWith(`${one}/`));
  if (name === undefined) return next(specifier, context);
  try {
    return next(specifier, context);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return resolveCorePackage(specifier, name, folder, error);
  }
}

/** The application has no package of its own: this installation's, or what stands in for it. */
function resolveCorePackage(specifier: string, name: string, folder: string, cause: unknown): ResolveFnOutput {
  const url = standIn(specifier);
  if (url !== undefined) return { url, format: 'module-typescript', shortCircuit: true };
  try {
    return { url: pathToFileURL(requireHere.resolve(specifier)).href, shortCircuit: true };
  } catch {
    throw missing(
      `the package '${name}' (for '${specifier}') is not there: run "npm install ${name}" in ${folder}`,
      cause,
    );
  }
}

const missing = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: 'MODULE_NOT_FOUND' });

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(ERR_)?MODULE_NOT_FOUND$/.test(String(error.code));

/**
 * A `.js` or `.ts` file of an application whose package.json has no `type`, or that has none, gets its format from its text:
 * not from the package.json of what the application happens to lie in.
 */
function withFormat(found: ResolveFnOutput, folder: string): ResolveFnOutput {
  if (!/^file:.*\.[jt]s$/.test(found.url)) return found;
  const file = fileURLToPath(found.url);
  if (file.includes('/node_modules/') || namesType(dirname(file), dirname(folder))) return found;
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.ts')) return { ...found, format: `${moduleWords.test(text) ? 'module' : 'commonjs'}-typescript` };
  return { ...found, format: isCommonJs(text) ? 'commonjs' : 'module' };
}

const moduleWords = /^\s*(?:import|export)\b(?!\s*\()/m;

/** Whether the package.json that a folder belongs to, below `stop`, says what its files are. */
function namesType(folder: string, stop: string): boolean {
  if (folder.length <= stop.length) return false;
  try {
    return 'type' in (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object);
  } catch {
    return namesType(dirname(folder), stop); // none here, or none that npm would read
  }
}

const isCommonJs = (text: string): boolean => {
  try {
    compileFunction(text.replace(/^#!.*/, ''), ['exports', 'require', 'module', '__filename', '__dirname']);
    return true;
  } catch {
    return false; // import and export are no syntax of a function; a real fault shows when the file is loaded
  }
};
