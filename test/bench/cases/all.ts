import { acceptorCases } from './acceptor.ts';
import type { PairCase } from './case.ts';
import { crudCases } from './crud.ts';
import { echoCases } from './echo.ts';
import { gatewayCases } from './gateway.ts';
import { tokenCases } from './tokens.ts';

export const pairCases: readonly PairCase[] = [
  ...echoCases,
  ...tokenCases,
  ...crudCases,
  ...acceptorCases,
  ...gatewayCases,
];

/** Name of the one case that is no comparison. */
export const startCase = 'start';
