import { fileName, publicFile, refuseFile } from './file-value.ts';
import type { PropertyType } from '../property.ts';

/** One file, kept by the hash of its content (file-value.ts). */
export const fileType: PropertyType = {
  name: 'file',
  code: 5,
  shape: 'object',
  sized: false,
  ordered: false,
  textual: false,
  toStored: refuseFile,
  toJson: publicFile,
  toText: fileName,
};
