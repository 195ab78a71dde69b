// What tests leave behind for the last checks: databases, logs, errors, the keys looked for there, and which answers came.

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

const seen = new Set<string>();

/** Notes an answer that came, by operation and status; the last check misses those that never did. */
export function saw(answer: string): void {
  if (seen.has(answer)) return;
  seen.add(answer);
  appendFileSync(join(root, 'answers-seen'), `${answer}\n`);
}
