import { fileName, publicFile, refuseFile } from './file-value.ts';
import type { PropertyType } from '../property.ts';

/** One picture, kept as a file is. */
export const imageType: PropertyType = {
  name: 'image',
  code: 4,
  shape: 'object',
  sized: false,
  ordered: false,
  textual: false,
  toStored: refuseFile,
  toJson: publicFile,
  toText: fileName,
};
