// Before all tests: one folder for all they leave behind. After all: no issued key stands in it, no answer is missing.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { allStatuses } from './documented.ts';
import { findSpilt } from './spilt.ts';

const isWholeSuite = process.env['npm_lifecycle_event'] === 'test';
const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-test-'));

let stopServers = () => {};

export async function globalSetup(): Promise<void> {
  mkdirSync(join(folder, 'left'));
  process.env['TEST_FOLDER'] = folder;
  // Tests start the program a thousand times, and half of each start would be taking the types out of it.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  if ((process.env['ENGINE'] ?? 'sqlite') === 'sqlite') return;
  const { startServers } = await import('./servers.ts');
  // Not in that folder, which nobody else may enter.
  stopServers = await startServers(mkdtempSync(join(tmpdir(), 'memory-gateway-servers-')));
}

export function globalTeardown(): void {
  stopServers();
  stopServers = () => {};
  if (!existsSync(folder)) return; // the runner asks again after a failure
  try {
    searchForKeys();
    findUnreached();
  } catch (error) {
    process.stderr.write(`${String(error)}\n`); // the runner itself says nothing
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function searchForKeys(): void {
  const noted = join(folder, 'issued-keys');
  const keys = existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n') : [];
  const { searched, spilt } = findSpilt(join(folder, 'left'), keys);
  const found = spilt.length === 0 ? 'found in none' : `FOUND IN ${spilt.join(', ')}`;
  process.stderr.write(
    `${keys.length} issued keys looked for in ${searched} logs, errors and databases: ${found}\n`,
  );
  if (isWholeSuite && (keys.length < 100 || searched < 50))
    throw new Error('too few to mean anything');
  if (spilt.length > 0) throw new Error('an issued key was spilt');
}

/** The document has no status that the gateway does not answer: each came in some test. */
function findUnreached(): void {
  if (!isWholeSuite) return;
  const noted = join(folder, 'answers-seen');
  const seen = new Set(existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n') : []);
  const unreached = allStatuses.filter((each) => !seen.has(each));
  if (unreached.length > 0) throw new Error(`no test reached ${unreached.join(', ')}`);
  process.stderr.write(`${allStatuses.length} documented statuses reached\n`);
}
