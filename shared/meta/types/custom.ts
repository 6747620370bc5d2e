import type { PropertyType } from '../property.ts';
import { stringType } from './string.ts';

/** A user type. Compiling a class replaces it by the type it stands for; an unknown one behaves as text. */
export const customType: PropertyType = { ...stringType, name: 'custom', code: 17 };
