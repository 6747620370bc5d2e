import type { TypeName } from '../property.ts';
import { booleanType } from './boolean.ts';
import { collectionType } from './collection.ts';
import { customType } from './custom.ts';
import { datetimeType } from './datetime.ts';
import { decimalType } from './decimal.ts';
import { fileType } from './file.ts';
import { filesType } from './files.ts';
import { geoType } from './geo.ts';
import { guidType } from './guid.ts';
import { htmlType } from './html.ts';
import { imageType } from './image.ts';
import { integerType } from './integer.ts';
import { passwordType } from './password.ts';
import { periodType } from './period.ts';
import type { PropertyType } from '../property.ts';
import { realType } from './real.ts';
import { referenceType } from './reference.ts';
import { scheduleType } from './schedule.ts';
import { setType } from './set.ts';
import { stringType } from './string.ts';
import { structType } from './struct.ts';
import { textType } from './text.ts';
import { urlType } from './url.ts';
import { userType } from './user.ts';

/** Every property type by its name. */
export const propertyTypes: Readonly<Record<TypeName, PropertyType>> = {
  string: stringType,
  text: textType,
  html: htmlType,
  url: urlType,
  image: imageType,
  file: fileType,
  integer: integerType,
  real: realType,
  decimal: decimalType,
  datetime: datetimeType,
  boolean: booleanType,
  password: passwordType,
  guid: guidType,
  reference: referenceType,
  collection: collectionType,
  set: setType,
  struct: structType,
  custom: customType,
  user: userType,
  period: periodType,
  geo: geoType,
  files: filesType,
  schedule: scheduleType,
};

const byCode = new Map(Object.values(propertyTypes).map((type) => [type.code, type]));

/** Undefined: no such type. */
export const typeOfCode = (code: number): PropertyType | undefined => byCode.get(code);
