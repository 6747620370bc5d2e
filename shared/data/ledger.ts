/** What was imported once: seeds by the hash of their content. */
export const ledgerCollection = '_imported';
