// Runs suites of tests: node test/run.ts SUITE… [FILE…]. With RERUN=1, tests that fail run once more, alone.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { decodeXML } from 'entities';

import { testsOfBothEngines } from './support/engines/both-engines.ts';
import { hasPostgres } from './support/engines/postgres-cluster.ts';
import { expand, shareProcesses } from './support/shared-processes.ts';
import { ROOT } from './support/world/program.ts';
import { isShort } from './support/world/thorough.ts';

/** Files that run together. */
interface Part {
  /** Paths and patterns. */
  readonly files: readonly string[];
  /** How many processes run at a time. */
  readonly concurrency: number;
  /** How many files share a process. Default: 1. */
  readonly sharing?: number;
  /** Those of the files that start first, because they take longest or wait most. */
  readonly first?: readonly string[];
  /** How long one test may take. */
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const MINUTE_MS = 60_000;
const SLOW = { timeoutMs: 10 * MINUTE_MS, env: { THOROUGH: '1' } } as const;

const FAULT = { timeoutMs: (isShort ? 10 : 30) * MINUTE_MS } as const; // whole, the damaged pages take ten minutes

/** Trials that compare times, or whose callers have to be answered in time, and so have the machine to themselves. */
const TIMED = ['restarts', 'timing'];

// The long runs are on SQLite, which is faster. A few runs here show that both engines do the same.
const onPostgres = (
  files: readonly string[],
  ENGINE: 'postgres' | 'replica',
  sharing: number,
  first: readonly string[] = [],
): Part => ({
  files,
  concurrency: 3,
  sharing,
  first,
  timeoutMs: (isShort ? 2 : 20) * MINUTE_MS, // a copy that is killed 15 times takes minutes
  env: { MODEL_RUNS: isShort ? '50' : '100', ENGINE },
});

const api = (name: string) => `test/api/${name}.test.ts`;

/** Tests that run with memories read from a standby, and so read both servers. */
const ON_A_STANDBY = ['promises', 'list', 'changes', 'response-cache', 'list-etags', 'search'];

/** Tests of the API above the store. */
const ABOVE_THE_STORE =
  'audio clock date-time etags-and-compression internal-errors openapi parameters query-string search-questions';

/** What a short run on PostgreSQL leaves out: what depends on no engine, and what runs on a standby anyway. */
const elsewhere = new Set([...ON_A_STANDBY, ...ABOVE_THE_STORE.split(' ')].map(api));

const bothEngines = isShort
  ? [...testsOfBothEngines(['api', 'store']), 'test/connect/flow.test.ts'].filter(
      (path) => !elsewhere.has(path),
    )
  : testsOfBothEngines();

/** All suites. CONTRIBUTING.md says what each one is for. */
const SUITES: Readonly<Record<string, readonly Part[]>> = {
  everyday: [
    {
      files: ['test/**/*.test.ts'],
      concurrency: 5, // many wait: with four, one of two processors was idle for a quarter of the time
      sharing: 12,
      first: [
        'cli/start',
        'cli/serve-jobs',
        'cli/embed',
        'cli/serve',
        'app/imports',
        'damage/backup',
      ].map((name) => `test/${name}.test.ts`),
    },
  ],
  slow: [
    {
      ...SLOW,
      files: ['test/**/*.slow.ts'],
      concurrency: 3,
      sharing: 3,
      first: [
        'project/docs-run',
        'project/add-to-api',
        'project/types',
        'sources/first-pull',
        'sources/kills',
        'store/migration-safety-copy',
      ].map((name) => `test/${name}.slow.ts`),
    },
  ],
  alone: [
    {
      ...SLOW,
      files: ['test/**/*.alone.ts'],
      concurrency: 4,
      sharing: 6,
      timeoutMs: (isShort ? 10 : 60) * MINUTE_MS, // whole, the lines of a transcript take half an hour
      first: [
        'http/proxy-wire',
        'browser/page',
        'browser/app/start',
        'browser/app/search',
        'browser/app/calendar',
      ].map((name) => `test/${name}.alone.ts`),
    },
  ],
  faults: [
    {
      ...FAULT,
      files: [`test/faults/!(${TIMED.join('|')}).fault.ts`, 'test/faults/postgres/*.fault.ts'],
      concurrency: 4,
      first: ['memory-attack', 'soak', 'postgres/stopped', 'postgres/busy', 'units'].map(
        (name) => `test/faults/${name}.fault.ts`,
      ),
    },
    { ...FAULT, files: TIMED.map((name) => `test/faults/${name}.fault.ts`), concurrency: 1 },
  ],
  soak: [
    {
      files: ['test/faults/soak.fault.ts'],
      concurrency: 1,
      env: { SOAK_MINUTES: process.env['SOAK_MINUTES'] ?? '60' },
    },
  ],
  binary: [
    {
      // The tests of commands, of HTTP and of connectors run on the executable as well, in short those of commands.
      files: [
        'test/binary/*.binary.ts',
        'test/cli/{commands,serve,reuse-port}.test.ts',
        ...(isShort ? [] : ['test/http/wire.test.ts', 'test/connect/program.test.ts']),
      ],
      concurrency: 3, // most wait: with two, three files in turn took as long as all the others
      first: ['test/binary/deb.binary.ts', 'test/cli/commands.test.ts'],
      timeoutMs: 5 * MINUTE_MS,
      env: { BINARY: join(ROOT, 'out/memory-gateway') },
    },
  ],
  postgres: [
    onPostgres(
      [
        ...bothEngines,
        ...(isShort ? [] : ['test/api/clock-jumps.slow.ts', 'test/api/concurrent-writes.slow.ts']),
        'test/postgres/*.postgres.ts',
        'test/damage/long-memory.slow.ts',
        'test/faults/copy.fault.ts', // the only fault trial for both engines
      ],
      'postgres',
      4, // with eight, the longest process ended alone
      [
        // A standby that starts again replays what the others have written.
        'test/postgres/replicas.postgres.ts',
        'test/faults/copy.fault.ts',
        'test/damage/long-memory.slow.ts',
        'test/store/copy.test.ts',
        'test/store/corrections.test.ts',
        'test/postgres/verify.postgres.ts',
        'test/postgres/migration.postgres.ts',
      ],
    ),
    onPostgres(ON_A_STANDBY.map(api), 'replica', 2),
  ],
};

const words = process.argv.slice(2);
const given = words.filter((word) => !(word in SUITES));
for (const suite of words.filter((word) => word in SUITES))
  for (const part of SUITES[suite] ?? [])
    if (part.env?.['ENGINE'] !== undefined && !hasPostgres) skipPostgres();
    else if (given.length === 0 && !runTwice(part, suite)) process.exitCode = 1;
    else if (given.length > 0 && !run(choose(part, given))) process.exitCode = 1;

/** Runs a part. With RERUN=1, what has failed runs once more. Returns whether all is well. */
function runTwice(part: Part, TEST_SUITE: string): boolean {
  if (process.env['RERUN'] !== '1') return run(part, { TEST_SUITE });
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-run-'));
  /** Runs a part without the tests that passed in the first attempt, and notes which ones fail. */
  const attempt = (name: string, tried: Part, env: NodeJS.ProcessEnv) => {
    const results = join(folder, `${name}.xml`);
    const isWell = run(tried, { ...env, TEST_RESULTS: results }, [
      `--test-rerun-failures=${join(folder, 'passed.json')}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=junit',
      `--test-reporter-destination=${results}`,
      '--disable-warning=MaxListenersExceededWarning', // two reporters have more than ten listeners
    ]);
    return { isWell, failed: readFailures(results), canRepeat: !existsSync(`${results}.last`) };
  };
  try {
    const { isWell, failed, canRepeat } = attempt('first', part, { TEST_SUITE });
    if (isWell || failed.size === 0 || !canRepeat) return isWell;
    process.stderr.write('\nWhat has failed runs once more, alone:\n');
    const alone = { ...choose(part, [...new Set(failed.values())]), concurrency: 1 };
    const again = attempt('second', alone, { TEST_SUITE: '' });
    for (const test of failed.keys())
      if (!again.failed.has(test)) process.stderr.write(`flaky: ${test}\n`);
    return again.isWell;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a part that runs only the given files, each in a process of its own. */
function choose(part: Part, files: readonly string[]): Part {
  return { ...part, files, sharing: 1, first: [] };
}

/** Runs files in a test runner. Returns whether all is well. */
function run(part: Part, env: NodeJS.ProcessEnv = {}, more: readonly string[] = []): boolean {
  const options = [
    '--test',
    `--test-concurrency=${part.concurrency}`,
    ...(part.timeoutMs === undefined ? [] : [`--test-timeout=${part.timeoutMs}`]),
    '--test-global-setup=test/support/global.ts',
    ...more,
  ];
  const wanted = part.files.flatMap((path) => (/[*({]/.test(path) ? expand(path) : path));
  const { sharing = 1, first = [] } = part;
  const shared =
    sharing > 1 || first.length > 0 ? shareProcesses(wanted, { sharing, first }) : undefined;
  try {
    const files = shared?.files ?? wanted;
    const { status, error } = spawnSync(process.execPath, [...options, ...files], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...part.env, ...env },
    });
    if (error) throw error;
    return status === 0;
  } finally {
    if (shared) rmSync(shared.folder, { recursive: true });
  }
}

/** Returns the paths of the tests that failed, by their files and titles. */
function readFailures(results: string): Map<string, string> {
  const failure = /<testcase name="([^"]*)"[^>]* classname="([^"]*)" file="([^"]*)" failure=/g;
  if (!existsSync(results)) return new Map(); // the set-up has failed
  return new Map(
    Array.from(readFileSync(results, 'utf8').matchAll(failure), ([, ...found]) => {
      const [name = '', groups, file = ''] = found.map((each) => decodeXML(each));
      // A file that fails by itself has its path for a name, as it was given: relative, or when it runs again, absolute.
      const test = file.endsWith(name) ? 'the file itself' : `${groups}: ${name}`;
      return [`${relative(ROOT, file)}: ${test}`, file];
    }),
  );
}

function skipPostgres(): void {
  process.stderr.write('\nNOT TRIED: PostgreSQL 15 is not installed. Install postgresql-15.\n\n');
  if (process.env['REQUIRE_POSTGRES'] === '1') process.exitCode = 1;
}
