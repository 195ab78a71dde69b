// In the executable, in place of `src/files.ts`: the program's own files are assets, named as in the package.

import { readFileSync } from 'node:fs';

import type { SeaConfig } from './assemble.ts';

/** Loaded when it runs, as a snapshot cannot hold it. */
const sea = () => process.getBuiltinModule('node:sea');

export const isExecutable = true;

export function readOwn({ pathname }: URL): Buffer<ArrayBuffer> {
  return readAsset(pathname.slice(1));
}

export function listOwn({ pathname }: URL): string[] {
  const folder = pathname.slice(1);
  const inside = assets().filter((name) => name.startsWith(folder));
  return [
    ...new Set(inside.map((name) => name.slice(folder.length).replace(/\/.*/, ''))),
  ].toSorted();
}

/** Reads an asset by its name. */
export function readAsset(name: string): Buffer<ArrayBuffer> {
  // Modules that read as they are loaded do so when the executable is built: then its files are elsewhere.
  return sea().isSea()
    ? Buffer.from(sea().getRawAsset(name))
    : readFileSync(staged()[name] ?? name);
}

function assets(): string[] {
  return sea().isSea() ? sea().getAssetKeys() : Object.keys(staged());
}

function staged(): SeaConfig['assets'] {
  return (JSON.parse(readFileSync('sea.json', 'utf8')) as SeaConfig).assets;
}
