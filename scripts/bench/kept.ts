// What originals and details cost: import and file with and without originals, /v1/people, and reread against import.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { UsageError } from '../../src/cli/args/parse.ts';
import { say } from '../command.ts';
import { writeLifelogs } from './lifelogs.ts';
import { measureIn, run, withGateway, type Setting } from './run.ts';
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

type Own = Omit<Setting, 'positionals'>;

await measureIn(HELP, async ({ positionals: [what = '', ...files], ...setting }) => {
  if (what === 'import') await measureImport(setting, files);
  else if (what === 'many') await measureMany(setting);
  else throw new UsageError('Give import or many.');
});

/** Compares imports with and without originals, in turns, by their medians. */
async function measureImport({ folder, memories = 10_000 }: Own, files: readonly string[]) {
  const given = files.length > 0 ? files : [writeLifelogs(folder, memories)];
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
  const created = await run('keys', 'create', '--account', 'bench', '--database', database);
  const headers = { 'x-api-key': created.stdout.trim() };
  await withGateway(database, async (url) => {
    const times: number[] = [];
    let people = 0;
    for (let i = 0; i < 21; i++) {
      const start = performance.now();
      const response = await fetch(`${url}/v1/people`, { headers });
      people = ((await response.json()) as unknown[]).length;
      times.push(performance.now() - start);
    }
    const { median, max } = spreadOf(times);
    say(
      `/v1/people, ${people} people: median ${median.toFixed(1)} ms, slowest ${max.toFixed(1)} ms, at most 50`,
    );
  });
}

/** Reads the people of many memories, and compares reading these again with their import. */
async function measureMany({ folder, memories = 100_000 }: Own): Promise<void> {
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
