// The engines: every test file is said to run on both, or on one for a reason.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';

import { ONCE, ON_BOTH } from './support/engines.ts';
import { ROOT } from './support/program.ts';

const sourceOf = (name: string) => readFileSync(`${ROOT}test/${name}.test.ts`, 'utf8');

describe('A test file', () => {
  it('stands once in the table of engines', () => {
    const there = globSync('test/*.test.ts', { cwd: ROOT }).map((path) =>
      basename(path, '.test.ts'),
    );
    const told = [...ON_BOTH, ...Object.values(ONCE).flat()];
    assert.deepEqual(told.toSorted(), there.toSorted());
  });

  it('that runs on both engines opens what the run is on', () => {
    const others = ON_BOTH.filter(
      (name) => !/support\/(world|engine|doors|documented)\.ts'/.test(sourceOf(name)),
    );
    assert.deepEqual(others, []);
  });

  it('that runs on both opens a file by itself only where it says what is skipped', () => {
    const opens = /^import (?!type)[^;]+'(better-sqlite3|\.\.\/src\/store\/sqlite\.ts)';/m;
    const direct = ON_BOTH.filter((name) => opens.test(sourceOf(name)));
    assert.ok(direct.includes('isolation'), 'which pins the plans of SQLite');
    assert.deepEqual(
      direct.filter((name) => !/\bonlyFiles\b/.test(sourceOf(name))),
      [],
    );
  });
});
