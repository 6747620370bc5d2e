import type { Formula, Scope } from './class.ts';
import { aggregates } from './formula/aggregates.ts';
import { arithmetic } from './formula/arithmetic.ts';
import { dates } from './formula/dates.ts';
import { logic } from './formula/logic.ts';
import type { Node, Operator } from './formula/node.ts';
import { parseText } from './formula/parse-text.ts';
import { text } from './formula/text.ts';

const operators: ReadonlyMap<string, Operator> = new Map(
  [arithmetic, logic, text, dates, aggregates].flatMap((group) => Object.entries(group)),
);

const deepest = 50;

export interface CompiledFormula extends Formula {
  /** Why it was not understood; it then evaluates to null. */
  readonly misunderstood: string | undefined;
}

/** @param raw `{operator: [arguments]}`, or the same as text: `operator(arguments)` (docs/metadata.md, Formulas) */
export function compileFormula(raw: unknown): CompiledFormula {
  const read = understand(raw);
  if ('misunderstood' in read) {
    return { evaluate: () => null, paths: [], sequences: [], misunderstood: read.misunderstood };
  }
  const { node } = read;
  return {
    evaluate: (scope) => evaluate(node, scope) ?? null,
    paths: [...new Set(pathsOf(node, ''))],
    sequences: [...new Set(sequencesOf(node))],
    misunderstood: undefined,
  };
}

function understand(raw: unknown): { node: Node } | { misunderstood: string } {
  try {
    const node = toNode(typeof raw === 'string' && /\(/.test(raw) ? parseText(raw) : raw, 0);
    return node.kind === 'value' ? { misunderstood: 'it is no formula' } : { node };
  } catch (thrown) {
    return { misunderstood: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function toNode(raw: unknown, depth: number): Node {
  if (depth > deepest) throw new Error('it is nested too deeply');
  if (typeof raw === 'string' && /^\$[^$]/.test(raw)) return { kind: 'path', path: raw.slice(1) };
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { kind: 'value', value: raw };
  const entries = Object.entries(raw);
  const [name, written] = entries[0] ?? [];
  if (name === undefined || entries.length > 1) throw new Error('an operator is an object with one key');
  const operator = operators.get(name);
  if (!operator) throw new Error(`there is no operator ${name}`);
  const args = (Array.isArray(written) ? written : [written]).map((one) => toNode(one, depth + 1));
  const [least, most] = operator.takes;
  if (args.length < least || args.length > most) throw new Error(`${name} does not take ${args.length} arguments`);
  if (operator.reachesOut && args[0]?.kind === 'value' && typeof args[0].value === 'string') {
    throw new Error(`${name} of a whole class is not offered, only of a collection`);
  }
  return { kind: 'call', name, args, operator };
}

function evaluate(node: Node, scope: Scope): unknown {
  if (node.kind === 'value') return node.value;
  if (node.kind === 'path') return scope.get(node.path);
  return node.operator.run(node.args, scope, evaluate);
}

/** Paths an evaluation may read; within the items of a collection they begin with its name. */
function pathsOf(node: Node, within: string): readonly string[] {
  if (node.kind === 'value') return [];
  if (node.kind === 'path') return [within + node.path];
  const [first, ...more] = node.args;
  if (first?.kind !== 'path' || node.operator.overItems !== true) {
    return node.args.flatMap((arg) => pathsOf(arg, within));
  }
  const inner = `${within}${first.path}.`;
  return [
    within + first.path,
    ...more.flatMap((arg) =>
      // plain arguments of an aggregate are read from the object itself: name both, an unknown path is no harm
      arg.kind === 'value'
        ? typeof arg.value === 'string'
          ? [inner + arg.value]
          : []
        : [...pathsOf(arg, inner), ...pathsOf(arg, within)],
    ),
  ];
}

function sequencesOf(node: Node): readonly string[] {
  if (node.kind !== 'call') return [];
  const [first] = node.args;
  const own = node.name === 'next' && first?.kind === 'value' ? [String(first.value)] : [];
  return [...own, ...node.args.flatMap(sequencesOf)];
}
