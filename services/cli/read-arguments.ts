import type { Command } from './command.ts';

type Arguments = Parameters<Command['run']>[0];

export const textOf = (args: Arguments, name: string): string => {
  const value = args[name];
  return typeof value === 'string' ? value : '';
};

/** Undefined when the option is not given. */
export const optionOf = (args: Arguments, name: string): string | undefined =>
  typeof args[name] === 'string' ? args[name] : undefined;

export const listOf = (args: Arguments, name: string): readonly string[] => {
  const value: unknown = args[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
};

export const isGiven = (args: Arguments, name: string): boolean => args[name] === true;

/** An option `--name a b` as a member, absent when it is not given. */
export const given = <N extends string, V>(name: N, value: V | undefined): { readonly [K in N]?: V } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [K in N]?: V };
