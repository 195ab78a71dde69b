// The files that tests leave for the last checks: databases, logs, errors, issued keys, and the statuses that were seen.

import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A test file that runs by itself has no folder from the global set-up.
const root = process.env['TEST_FOLDER'] ?? mkdtempSync(join(tmpdir(), 'memory-gateway-test-'));
mkdirSync(join(root, 'left'), { recursive: true });

/** Creates a folder whose files are searched for keys after all tests. */
export function newFolder(): string {
  return mkdtempSync(join(root, 'left', 'f-'));
}

/** Records an issued key, and returns it. */
export function issued(key: string): string {
  appendFileSync(join(root, 'issued-keys'), `${key}\n`);
  return key;
}

/** Stores text that must contain no key: a log, an error body, or the stderr of a command. */
export function leave(text: string): void {
  appendFileSync(join(root, 'left', `said-${process.pid}.txt`), `${text}\n`);
}

const seen = new Set<string>();

/**
 * Records the operation and status of a response, because the last check requires every documented
 * status.
 */
export function saw(answer: string): void {
  if (seen.has(answer)) return;
  seen.add(answer);
  appendFileSync(join(root, 'answers-seen'), `${answer}\n`);
}
