// Replaces `src/files.ts` in the executable: the program's own files are assets, named as in the package.

import { readFileSync } from 'node:fs';

import type * as Package from '../../src/files.ts';

export const isExecutable: typeof Package.isExecutable = true;

export const isSource: typeof Package.isSource = false;

export const readOwn: typeof Package.readOwn = (name) => readAsset(name);

export const listOwn: typeof Package.listOwn = (folder) => {
  const inside = assets().filter((name) => name.startsWith(folder));
  const names = inside.map((name) => name.slice(folder.length).replace(/\/.*/, ''));
  return [...new Set(names)].toSorted();
};

/** Reads an asset by its name. Its bytes are part of the executable and must not be changed. */
export function readAsset(name: string): Buffer<ArrayBuffer> {
  // Modules that read files while they load do so at build time, when the files are elsewhere.
  return sea().isSea() ? Buffer.from(sea().getRawAsset(name)) : readFileSync(staged()[name] ?? '');
}

export const ownUrl: typeof Package.ownUrl = (name) => name; // only sources import a file

function assets(): string[] {
  return sea().isSea() ? sea().getAssetKeys() : Object.keys(staged());
}

function staged(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync('sea.json', 'utf8')).assets;
}

/** Loaded on first use, because a snapshot cannot contain it. */
function sea(): typeof import('node:sea') {
  return process.getBuiltinModule('node:sea');
}
