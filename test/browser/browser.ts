// A browser of the machine, with nothing in reach but what is served on 127.0.0.1.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

import { chromium, type Browser } from 'playwright-core';

const ARGS = [
  '--no-sandbox', // as root there is none
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** The Chromium of this machine: `$CHROMIUM`, or `chromium` on the path. */
export function findBrowser(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env;
  const places = PATH.split(delimiter).map((folder) => join(folder, 'chromium'));
  return CHROMIUM ?? places.find(isProgram);
}

/** Starts the browser, with a new and empty profile. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Error('There is no chromium; install it, or name it in $CHROMIUM.');
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
