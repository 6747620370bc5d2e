/** What `instanceof` and old inheritance need; the working objects come from `createLegacyDataRepository`. */
export const LegacyDataRepository = function (): void {} as unknown as { new (): object; readonly prototype: object };
