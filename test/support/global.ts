// The set-up before all tests, and the last checks after them: no file has an issued key, and every documented status was seen.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { allStatuses } from './wire/openapi-check.ts';
import { buildProgram } from './world/build.ts';
import { findSpilt } from './world/find-keys.ts';

const IN_MEMORY = '/dev/shm'; // the path on Linux
const ROOM = 4 * 1024 ** 3; // a whole run leaves about 1 GB

/** Compiled code of tests and sources, kept for the next run. It saves half of each start. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled/', import.meta.url));

/** The suite that `test/run.ts` runs whole, an empty string for what has failed in it, or undefined for files by hand. */
const suite = process.env['TEST_SUITE'];
const isWholeSuite = suite === 'everyday';
const folder = mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), 'memory-gateway-test-'));

const isMeasured = process.env['NODE_V8_COVERAGE'] !== undefined;

/**
 * Whether tests start the bundle instead of the sources. Coverage is measured on the sources, and
 * a single file that you run by hand waits for no build.
 */
const isBuilt = suite !== undefined && !isMeasured;

let stopServers = async () => {};

export async function globalSetup(): Promise<void> {
  // Tests run the built program and PostgreSQL as other users as well. What tests leave behind stays private.
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, 'left'), { mode: 0o700 });
  process.env['TEST_FOLDER'] = folder;
  // npm makes the program print another name for itself. Tests expect the name without npm.
  for (const name of Object.keys(process.env))
    if (name.startsWith('npm_')) delete process.env[name];
  // V8 does not count the calls of functions that come from the cache.
  if (!isMeasured) process.env['NODE_COMPILE_CACHE'] = COMPILED;
  const { BUILT_BEFORE: before } = process.env;
  delete process.env['BUILT_BEFORE']; // a test that runs tests of changed sources builds those
  if (isBuilt) process.env['BUILT_PROGRAM'] = before ?? buildProgram(join(folder, 'package'));
  if ((process.env['ENGINE'] ?? 'sqlite') === 'sqlite') return;
  const { startServers } = await import('./engines/postgres-servers.ts');
  stopServers = await startServers(mkdtempSync(join(folder, 'servers-')));
}

export async function globalTeardown(): Promise<void> {
  await stopServers();
  stopServers = async () => {};
  if (!existsSync(folder)) return; // the runner calls this again after a failure
  try {
    searchForKeys();
    findUnreached();
  } catch (error) {
    process.stderr.write(`${String(error)}\n`); // the runner prints nothing
    const results = process.env['TEST_RESULTS'];
    if (results !== undefined) writeFileSync(`${results}.last`, String(error));
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns whether files of tests can be in memory, where a commit waits for no disk. Tests of the executable mount over that folder. */
function hasRoomInMemory(): boolean {
  if (process.env['BINARY'] !== undefined || !existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize > ROOM;
}

function searchForKeys(): void {
  const noted = join(folder, 'issued-keys');
  const keys = existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n') : [];
  const { searched, spilt } = findSpilt(join(folder, 'left'), keys);
  const found = spilt.length === 0 ? 'found none' : `FOUND IN ${spilt.join(', ')}`;
  process.stderr.write(
    `Searched ${searched} logs, errors and databases for ${keys.length} issued keys: ${found}\n`,
  );
  if (isWholeSuite && (keys.length < 100 || searched < 50))
    throw new Error('too few keys or files for a meaningful search');
  if (spilt.length > 0) throw new Error('an issued key is in a file');
}

/** Checks that some test got each status of the OpenAPI document. */
function findUnreached(): void {
  if (!isWholeSuite) return;
  const noted = join(folder, 'answers-seen');
  const seen = new Set(existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n') : []);
  const unreached = allStatuses.filter((each) => !seen.has(each));
  if (unreached.length > 0) throw new Error(`no test reached ${unreached.join(', ')}`);
  process.stderr.write(`${allStatuses.length} documented statuses reached\n`);
}
