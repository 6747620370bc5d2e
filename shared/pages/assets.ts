import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  /** Part of the address, so that it may be cached for ever. */
  readonly hash: string;
}

/** File name → what is sent. */
export type Assets = ReadonlyMap<string, Asset>;

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** The style sheet and the script of all pages, read once. */
export const loadAssets = (names: readonly string[] = ['portico.css', 'portico.js']): Assets =>
  new Map(names.map((name) => [name, readAsset(name)]));

function readAsset(name: string): Asset {
  const bytes = readFileSync(new URL(name, import.meta.url));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  return { bytes, type: types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream', hash };
}

/** `portico.css` under `/auth/assets` → `/auth/assets/<hash>/portico.css`. */
export function assetUrl(assets: Assets, prefix: string, name: string): string {
  const asset = assets.get(name);
  if (!asset) throw new Error(`no asset ${name}`);
  return `${prefix}/${asset.hash}/${name}`;
}
