// The browser of this machine, which can reach only this machine.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

import { chromium, type Browser } from 'playwright-core';

const ARGS = [
  '--no-sandbox', // root has no sandbox
  '--disable-gpu',
  '--in-process-gpu', // one process less in each start
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A name as a home network has it: plain http there is no secure context, unlike on 127.0.0.1.
  '--host-resolver-rules=MAP memories.lan 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** The whole Chromium. */
const WHOLE = ['chromium'];

/** Chromium without its own windows, in which a test costs half as much, or the whole one. */
const PROGRAMS = ['chromium-headless-shell', ...WHOLE];

/** The Chromium of this machine: `$CHROMIUM`, or the first one on the path. */
export function findBrowser(programs = PROGRAMS): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env;
  const folders = PATH.split(delimiter);
  const places = programs.flatMap((name) => folders.map((folder) => join(folder, name)));
  return CHROMIUM ?? places.find(isProgram);
}

/** The whole Chromium of this machine, which knows what can be installed. */
export const findWholeBrowser = () => findBrowser(WHOLE);

/** Starts a browser with a new, empty profile. */
export function openBrowser(executablePath = findBrowser()): Promise<Browser> {
  if (executablePath === undefined)
    throw new Error('There is no chromium. Install it, or name it in $CHROMIUM.');
  return chromium.launch({ executablePath, args: ARGS });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
