import type { PropertyType } from '../property.ts';
import { toJsonValue } from './json-value.ts';

const shapes = new Set(['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon']);

/** RFC 7946, section 3: the members each kind must have, and numbers where coordinates are. */
function isGeoJson(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false;
  const { type, coordinates, geometries, geometry, features } = input as Record<string, unknown>;
  if (type === 'GeometryCollection') return Array.isArray(geometries) && geometries.every(isGeoJson);
  if (type === 'Feature') return geometry === null || isGeoJson(geometry);
  if (type === 'FeatureCollection') return Array.isArray(features) && features.every(isGeoJson);
  return typeof type === 'string' && shapes.has(type) && Array.isArray(coordinates) && isNumbers(coordinates);
}

const isNumbers = (list: readonly unknown[]): boolean =>
  list.every((one) => (Array.isArray(one) ? isNumbers(one) : typeof one === 'number'));

/** A GeoJSON object (RFC 7946). */
export const geoType: PropertyType = {
  name: 'geo',
  code: 100,
  shape: 'object',
  sized: false,
  ordered: false,
  textual: false,
  toStored(input) {
    const value = toJsonValue(input);
    return value !== undefined && isGeoJson(value) ? { value } : { fault: 'must be a GeoJSON object' };
  },
  toJson: (stored) => stored,
  toText: (stored) => JSON.stringify(stored),
};
