// The files of the app's pages: the shell for every address, its script and its style, from the package or bundled from a clone.

import { hash } from 'node:crypto';

import { isSource, listOwn, ownUrl, readOwn } from '../files.ts';
import { createEncoded, type Encoded } from '../gateway/response/compression.ts';
import { once } from '../lib/once.ts';
import { findScreen, type ScreenName } from './screens.ts';
import { shellOf, type ShellNames, type Theme } from './shell.ts';

/** A file of the app: its whole body and what its response says about it. */
export interface AppFile {
  /** The media type with its charset. */
  readonly type: string;
  /** The SHA-256 of the body. */
  readonly etag: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Encodes the body once per encoding. */
  readonly encoded: Encoded;
  /**
   * - `shell`: the page itself. It needs the policy.
   * - `hashed`: a file that never changes, because its name has a hash of its content.
   * - `missing`: the page that says that the app has no such address.
   * - `plain`: all other files.
   */
  readonly kind: 'shell' | 'hashed' | 'missing' | 'plain';
}

/**
 * Returns the file at a path below `/app/`: `''` and the addresses of screens are the shell, and so are
 * other addresses that somebody may have typed, in the colours of a theme. Returns undefined if there is none. Rejects if the files cannot be read or bundled.
 */
export type FindAppFile = (path: string, theme?: Theme) => Promise<AppFile | undefined>;

const FOLDER = 'dist/app/files/';

/** The names of scripts and styles, as the bundler makes them. */
const HASHED = /-[0-9A-Z]{8}\.(?:js|css)$/;

/** The page about a client has a script of its own. */
const CONSENT: ScreenName = 'consent';

// A computed name, so that no bundle of the program contains the bundler, nor looks for it.
const BUNDLER = 'scripts/app.ts';

/** The part of `scripts/app.ts` that is used. */
interface Bundler {
  readonly appOfClone: () => Promise<readonly NamedBody[]>;
}

interface NamedBody {
  readonly name: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
};

// Read, or bundled, at the first call, and encoded once for all gateways of the process.
const files = once(load);

/** Finds the files of this package. */
export const findAppFile: FindAppFile = async (path, theme = 'system') => {
  const { named, themes } = await files();
  const { shells, consent } = themes[theme];
  const file = named.get(path);
  if (file !== undefined) return file;
  const screen = findScreen(path)?.name;
  if (screen === CONSENT) return consent;
  // The page is relative to its files, so it differs by how deep it is.
  const shell = shells[path.split('/').length - 1];
  if (screen !== undefined) return shell;
  return shell && isTyped(path) ? { ...shell, kind: 'missing' } : undefined;
};

/** Returns whether a path may be the address of a page. Those of files have a dot. */
function isTyped(path: string): boolean {
  return !path.includes('.');
}

async function load() {
  const found = isSource ? await bundle() : packaged();
  const named = new Map(found.map(({ name, body }) => [name, fileOf(name, body)]));
  const nameOf = (pattern: RegExp) => found.find(({ name }) => pattern.test(name))?.name ?? '';
  const style = nameOf(/\.css$/);
  const inTheme = (theme: Theme) => {
    const toShell = (up: string, names: Pick<ShellNames, 'script' | 'early'>) => {
      const body = Buffer.from(shellOf({ up, style, theme, ...names }));
      return { ...encoded(body), type: 'text/html; charset=utf-8', kind: 'shell' } as const;
    };
    const own = { script: nameOf(/^app-.*\.js$/), early: nameOf(/^early-.*\.js$/) };
    const shells = ['', '../', '../../'].map((up) => toShell(up, own));
    return { shells, consent: toShell('', { script: nameOf(/^consent-.*\.js$/) }) };
  };
  const themes = { system: inTheme('system'), light: inTheme('light'), dark: inTheme('dark') };
  return { named, themes };
}

function packaged(): NamedBody[] {
  return listOwn(FOLDER).map((name) => ({ name, body: readOwn(FOLDER + name) }));
}

async function bundle(): Promise<readonly NamedBody[]> {
  const { appOfClone } = (await import(
    /* webpackIgnore: true */ /* turbopackIgnore: true */ ownUrl(BUNDLER)
  )) as Bundler;
  return appOfClone();
}

function fileOf(name: string, body: Uint8Array<ArrayBuffer>): AppFile {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const kind = HASHED.test(name) ? 'hashed' : 'plain';
  return { ...encoded(body), type: TYPES[extension] ?? 'application/octet-stream', kind };
}

function encoded(body: Uint8Array<ArrayBuffer>) {
  return { body, etag: hash('sha256', body), encoded: createEncoded(body, 'small') };
}
