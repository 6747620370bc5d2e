import type { Log } from '#log.ts';
import type { Classes } from './class.ts';
import { compileClasses, type Compiled } from './compile.ts';
import { describe, type Finding } from './definition.ts';
import { readSources } from './read-sources.ts';

/** Class files that cannot be used; `findings` names each with its file and place. */
export class MetadataError extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(describe).join('\n'));
    this.name = 'MetadataError';
    this.findings = findings;
  }
}

/** The classes of an application, with everything that is wrong or doubtful in their files. Files are named relative to `folder`. */
export async function readMetadata(folder: string, namespace: string): Promise<Compiled> {
  const faults: Finding[] = [];
  const compiled = compileClasses(await readSources(folder, faults), namespace);
  return { ...compiled, faults: [...faults, ...compiled.faults] };
}

/**
 * The classes of an application, for a start: what is doubtful is logged, what is wrong rejects with MetadataError.
 * @param folder the application's folder, which holds `meta/`
 * @param namespace of definitions that name none
 */
export async function loadClasses(folder: string, namespace: string, log: Pick<Log, 'warn'>): Promise<Classes> {
  const { classes, faults, warnings } = await readMetadata(folder, namespace);
  for (const warning of warnings) log.warn(`class file: ${describe(warning)}`);
  if (faults.length > 0) throw new MetadataError(faults);
  return classes;
}
