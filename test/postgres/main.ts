// npm run test:postgres: runs the tests of both engines on PostgreSQL, and the tests of PostgreSQL alone, on servers that it starts.

import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

import { testsOfBothEngines } from '../support/engines/both-engines.ts';
import { hasPostgres } from '../support/engines/postgres-cluster.ts';
import { ROOT } from '../support/world/program.ts';

/** CI runs the tests of the API, of connectors and of the store here, and the others on SQLite only. */
const isShort = process.env['POSTGRES'] === 'short';

/** Slow tests that also run on both engines. */
const SLOW_ON_BOTH = [
  'test/api/clock-jumps.slow.ts',
  'test/api/concurrent-writes.slow.ts',
  'test/cli/reuse-port.test.ts',
];

/** These run a second time, with memories read from a standby. */
const ON_A_REPLICA = ['promises', 'list', 'changes', 'response-cache', 'list-etags', 'search'];

if (hasPostgres) {
  run('postgres', [
    ...testsOfBothEngines(isShort ? ['api', 'connect', 'store'] : undefined),
    ...(isShort ? [] : SLOW_ON_BOTH),
    ...globSync('test/postgres/*.postgres.ts', { cwd: ROOT }),
    'test/faults/copy.fault.ts', // the only fault trial for both engines
  ]);
  run(
    'replica',
    ON_A_REPLICA.map((name) => `test/api/${name}.test.ts`),
  );
} else skip('PostgreSQL 15 is not installed. Install postgresql-15.');

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
    // The long runs are on SQLite, which is faster. A few runs here show that both engines behave
    // the same.
    env: { MODEL_RUNS: '100', FAULTS: 'short', ...process.env, ENGINE: engine },
  });
  if (error) throw error;
  if (status !== 0) process.exitCode = status ?? 1;
}

function skip(reason: string): void {
  const isRequired = process.env['REQUIRE_POSTGRES'] === '1';
  process.stderr.write(`\nNOT TRIED: no test ran on PostgreSQL. ${reason}\n\n`);
  process.exitCode = isRequired ? 1 : 0;
}
