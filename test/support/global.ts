// Before all tests: one folder for all they leave behind. After all: no issued key stands in any of it.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findSpilt } from './spilt.ts';

const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-test-'));

export function globalSetup(): void {
  mkdirSync(join(folder, 'left'));
  process.env['TEST_FOLDER'] = folder;
}

export function globalTeardown(): void {
  try {
    searchForKeys();
  } catch (error) {
    process.stderr.write(`${String(error)}\n`); // the runner itself says nothing
    throw error;
  }
}

function searchForKeys(): void {
  const noted = join(folder, 'issued-keys');
  const keys = existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n') : [];
  const { searched, spilt } = findSpilt(join(folder, 'left'), keys);
  rmSync(folder, { recursive: true });
  const found = spilt.length === 0 ? 'found in none' : `FOUND IN ${spilt.join(', ')}`;
  process.stderr.write(
    `${keys.length} issued keys looked for in ${searched} logs, errors and databases: ${found}\n`,
  );
  const isWholeSuite = process.env['npm_lifecycle_event'] === 'test';
  if (isWholeSuite && (keys.length < 100 || searched < 50))
    throw new Error('too few to mean anything');
  if (spilt.length > 0) throw new Error('an issued key was spilt');
}
