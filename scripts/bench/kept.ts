// What originals and details cost: import and file with and without originals, /v1/people, and reread against import.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { UsageError, parseStrictly } from '../../src/cli/args/parse.ts';
import { runToExit } from '../../src/cli/exit.ts';
import { print } from '../../src/cli/output/print.ts';
import { processContext } from '../../src/cli/process.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { writeLifelogs } from './lifelogs.ts';
import { MAIN, run } from './run.ts';
import { spreadOf } from './stats.ts';

const HELP = `Measures what originals and details cost. Build the program first: npm run build.

Usage: node --import tsx scripts/bench/kept.ts WHAT [--memories N] [FILE...]

  import  Import FILE with and without originals: seconds, and bytes of the database.
          Without FILE, 10,000 generated memories of 4 kB
  many    Import 100,000 memories, read /v1/people of them without the response cache, and
          read them again: seconds, and the peak of memory
  --memories N  Another number of memories
`;

const ROUNDS = 3;

const say = (line: string) => print(processContext.stdout, line);

process.exitCode = await runToExit('bench', processContext, async () => {
  const { values, positionals } = parseStrictly({
    options: { memories: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help) {
    say(HELP.trimEnd());
    return 0;
  }
  if (!existsSync(MAIN)) throw new Refusal('The program is not built; run "npm run build".');
  const [what = '', ...files] = positionals;
  const measure = { import: measureImport, many: measureMany }[what];
  if (measure === undefined) throw new UsageError('Give import or many.');
  const folder = mkdtempSync(join(tmpdir(), 'kept-'));
  try {
    const memories = Number(values.memories ?? 100_000);
    await measure({ folder, files, memories });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return 0;
});

interface Setting {
  readonly folder: string;
  readonly files: readonly string[];
  readonly memories: number;
}

/** Compares imports with and without originals, in turns, by their medians. */
async function measureImport({ folder, files, memories }: Setting): Promise<void> {
  const given = files.length > 0 ? files : [writeLifelogs(folder, Math.min(memories, 10_000))];
  const seconds: Record<string, number[]> = { keep: [], off: [] };
  const bytes: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++)
    for (const originals of ['keep', 'off']) {
      const database = await createDatabase(folder);
      const cost = await run('import', '--database', database, '--originals', originals, ...given);
      seconds[originals]?.push(cost.seconds);
      bytes[originals] = statSync(database).size;
    }
  const medianOf = (each: string) => spreadOf(seconds[each] ?? []).median;
  const [kept, off] = [medianOf('keep'), medianOf('off')];
  say(`import: ${kept.toFixed(2)} s with originals, ${off.toFixed(2)} s without`);
  say(`        ${(kept / off).toFixed(2)} times, at most 1.3`);
  say(`file:   ${mb(bytes['keep'])} MB with originals, ${mb(bytes['off'])} MB without`);
  say(`        ${(Number(bytes['keep']) / Number(bytes['off'])).toFixed(2)} times, at most 1.6`);
}

/** Times /v1/people over HTTP. */
async function measurePeople(database: string): Promise<void> {
  const key = (
    await run('keys', 'create', '--account', 'bench', '--database', database)
  ).stdout.trim();
  const args = ['serve', '--database', database, '--port', '0', '--cache', '0', '--app', 'off'];
  const server = spawn(process.execPath, [MAIN, ...args]);
  try {
    let said = '';
    for await (const part of server.stdout) {
      said += String(part);
      if (/"listening"/.test(said)) break;
    }
    const [url] = /http:\/\/[\d.:]+/.exec(said) ?? [];
    const times: number[] = [];
    let people = 0;
    for (let i = 0; i < 21; i++) {
      const start = performance.now();
      const response = await fetch(`${url}/v1/people`, { headers: { 'x-api-key': key } });
      people = ((await response.json()) as unknown[]).length;
      times.push(performance.now() - start);
    }
    const { median, max } = spreadOf(times);
    say(
      `/v1/people, ${people} people: median ${median.toFixed(1)} ms, slowest ${max.toFixed(1)} ms, at most 50`,
    );
  } finally {
    server.kill();
  }
}

/** Reads the people of many memories, and compares reading these again with their import. */
async function measureMany({ folder, memories }: Setting): Promise<void> {
  const database = await createDatabase(folder);
  const imported = await run('import', '--database', database, writeLifelogs(folder, memories));
  await measurePeople(database);
  const again = await run('reread', '--database', database);
  say(`import: ${imported.seconds.toFixed(1)} s, peak ${imported.peak.toFixed(0)} MB`);
  say(`reread: ${again.seconds.toFixed(1)} s, peak ${again.peak.toFixed(0)} MB, at most 350`);
  say(again.stdout.trim());
}

async function createDatabase(folder: string): Promise<string> {
  const database = join(folder, 'kept.db');
  for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true });
  await run('migrate', '--database', database);
  await run('accounts', 'create', 'Bench', '--id', 'bench', '--database', database);
  return database;
}

function mb(bytes = 0): string {
  return (bytes / 1e6).toFixed(1);
}
