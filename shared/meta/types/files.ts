import { fileName, publicFile, refuseFile } from './file-value.ts';
import type { PropertyType } from '../property.ts';

/** Several files, each kept as a single one is. */
export const filesType: PropertyType = {
  name: 'files',
  code: 110,
  shape: 'list',
  sized: false,
  ordered: false,
  textual: false,
  toStored: refuseFile,
  toJson: (stored) => (Array.isArray(stored) ? stored.map(publicFile) : null),
  toText: (stored) => (Array.isArray(stored) ? stored.map(fileName).join(', ') : ''),
};
