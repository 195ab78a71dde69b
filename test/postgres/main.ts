// npm run test:postgres: what is promised on both engines, and what of PostgreSQL alone, on servers that it starts itself.

import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

import { hasPostgres } from '../support/cluster.ts';
import { IN_SHORT, ON_BOTH } from '../support/engines.ts';
import { ROOT } from '../support/program.ts';

/** Whether only what CI has the time for is run. */
const isShort = process.env['POSTGRES'] === 'short';

/** What is tried again where memories are read from a standby. */
const ON_A_REPLICA = ['promises', 'list', 'changes', 'cache', 'conditional', 'search'];

if (hasPostgres) {
  run('postgres', [
    ...(isShort ? IN_SHORT : ON_BOTH).map((name) => `test/${name}.test.ts`),
    ...globSync('test/postgres/*.test.ts', { cwd: ROOT }),
    'test/faults/copy.fault.ts', // the one trial of both engines
  ]);
  run(
    'replica',
    ON_A_REPLICA.map((name) => `test/${name}.test.ts`),
  );
} else lack('PostgreSQL 15 is not on this machine; install postgresql-15.');

function run(engine: 'postgres' | 'replica', files: readonly string[]): void {
  process.stderr.write(
    `\nOn ${engine === 'replica' ? 'a standby of PostgreSQL' : 'PostgreSQL'}:\n`,
  );
  const options = [
    '--test',
    '--test-concurrency=3',
    '--test-timeout=120000',
    '--test-global-setup=test/support/global.ts',
  ];
  const { status, error } = spawnSync(process.execPath, [...options, ...files], {
    cwd: ROOT,
    stdio: 'inherit',
    // Histories and kills are at SQLite's speed there; here a few show that both engines do the same.
    env: { MODEL_RUNS: '100', FAULTS: 'short', ...process.env, ENGINE: engine },
  });
  if (error) throw error;
  if (status !== 0) process.exitCode = status ?? 1;
}

function lack(reason: string): void {
  const isRequired = process.env['REQUIRE_POSTGRES'] === '1';
  process.stderr.write(`\nNOT TRIED: no test ran on PostgreSQL. ${reason}\n\n`);
  process.exitCode = isRequired ? 1 : 0;
}
