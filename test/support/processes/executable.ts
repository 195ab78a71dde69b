// The single-file executable for tests: the one under test, or one that is built for them.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { BINARY, runProcess } from '../world/program.ts';

/** Copies the executable into a new folder under its own name. */
export async function putExecutable(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  if (BINARY !== undefined) return copyFileSync(BINARY, join(folder, 'memory-gateway'));
  const { code, stderr } = await runProcess(['--output', folder], {
    script: 'scripts/binary/main.ts',
  });
  assert.equal(code, 0, stderr);
}
