// What tests leave behind for the last check: databases, logs, errors; and the keys it looks for there.

import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A test file that is run by itself has no folder from the global set-up.
const root = process.env['TEST_FOLDER'] ?? mkdtempSync(join(tmpdir(), 'memory-gateway-test-'));
mkdirSync(join(root, 'left'), { recursive: true });

/** A new folder whose files are searched for keys when all tests have run. */
export function newFolder(): string {
  return mkdtempSync(join(root, 'left', 'f-'));
}

/** Notes a key that was issued; returns it. */
export function issued(key: string): string {
  appendFileSync(join(root, 'issued-keys'), `${key}\n`);
  return key;
}

/** Keeps text that must hold no key: a log, an error body, what a command wrote to stderr. */
export function leave(text: string): void {
  appendFileSync(join(root, 'left', `said-${process.pid}.txt`), `${text}\n`);
}
