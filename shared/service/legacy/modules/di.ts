import { runningApplication } from '../running-application.ts';

/** Making components by hand is not offered; deploy.json does that. */
const di = (): never => {
  throw new Error('core/di makes no components here: name them in deploy.json (docs/services.md)');
};

const exported = Object.assign(di, {
  /** The components of a module by name; an empty object before the start is through. */
  context: (name: string): Readonly<Record<string, unknown>> => runningApplication()?.context(name) ?? {},
});

export default exported;
export { exported as 'module.exports' };
