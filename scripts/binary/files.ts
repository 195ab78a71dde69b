// In the executable, in place of `src/files.ts`: the program's own files are assets, named as in the package.

import { readFileSync } from 'node:fs';

import type * as Package from '../../src/files.ts';
import type { SeaConfig } from './assemble.ts';

export const isExecutable: typeof Package.isExecutable = true;

export const readOwn: typeof Package.readOwn = ({ pathname }) => readAsset(pathname.slice(1));

export const listOwn: typeof Package.listOwn = ({ pathname }) => {
  const folder = pathname.slice(1);
  const inside = assets().filter((name) => name.startsWith(folder));
  const names = inside.map((name) => name.slice(folder.length).replace(/\/.*/, ''));
  return [...new Set(names)].toSorted();
};

/** Reads an asset by its name; its bytes are part of the executable, and not to be written. */
export function readAsset(name: string): Buffer<ArrayBuffer> {
  // What reads as it is loaded does so when the executable is built: then its files are elsewhere.
  return sea().isSea() ? Buffer.from(sea().getRawAsset(name)) : readFileSync(staged()[name] ?? '');
}

function assets(): string[] {
  return sea().isSea() ? sea().getAssetKeys() : Object.keys(staged());
}

function staged(): SeaConfig['assets'] {
  return (JSON.parse(readFileSync('sea.json', 'utf8')) as SeaConfig).assets;
}

/** Loaded when it is asked for, as a snapshot cannot hold it. */
function sea(): typeof import('node:sea') {
  return process.getBuiltinModule('node:sea');
}
