// import: what files hold is in the API afterwards, told apart into added, updated, unchanged and rejected.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { describe, it, type TestContext } from 'node:test';

import type { Memory } from '../src/contract/memory.ts';
import { formatNames } from '../src/formats/formats.ts';
import { engine, onlyFiles } from './support/engine.ts';
import { newFolder } from './support/left.ts';
import { noLoading, PROGRAM_WORDS, ROOT, run, start, waitFor } from './support/program.ts';
import { createWorld, memories, memory, type World } from './support/world.ts';

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount('ana');
  const folder = newFolder();
  const write = (name: string, data: string) => {
    const path = join(folder, name);
    writeFileSync(path, data);
    return path;
  };
  const importing = (args: readonly string[], input = '') =>
    run(['import', ...args, '--database', world.database], { input });
  const all = () => world.gateway.as('ana').memories.list({ order: 'asc' });
  return { world, write, importing, all };
}

function lines(list: readonly unknown[]): string {
  return list.map((each) => `${JSON.stringify(each)}\n`).join('');
}

function mine(list: readonly Memory[]): Memory[] {
  return list.map((each) => ({ ...each, user_id: 'ana' }));
}

/** All that a file has on disk; of a server, where nobody else writes, what its rows and feed say. */
function hashOf({ database, writer }: World): string {
  if (onlyFiles) return JSON.stringify(writer.accounts.list());
  const hash = createHash('sha256');
  for (const end of ['', '-wal']) hash.update(readFileSync(database + end));
  return hash.digest('hex');
}

interface Said {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly committed: boolean;
  readonly rejects: readonly { readonly line: number; readonly item: number }[];
  readonly accounts: Readonly<Record<string, number>>;
  readonly formats: Readonly<Record<string, number>>;
  readonly passed_over: Readonly<Record<string, number>>;
}

function read(stdout: string): Said {
  return JSON.parse(stdout) as Said;
}

describe('import', () => {
  it('takes memories as lines, as an array, one by one and from standard input alike', async (t) => {
    const { write, importing, all } = await createAna(t);
    const list = memories(4);
    const files = [
      write('lines.jsonl', lines(list.slice(0, 1))),
      write('array.json', JSON.stringify(list.slice(1, 2), null, 2)),
      write('one.json', JSON.stringify(list[2])),
      '-',
    ];
    const { code, stdout, stderr } = await importing(files, JSON.stringify(list[3]));
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^4 files read: 4 memories added, 0 updated, 0 unchanged, 0 rejected\.$/m);
    assert.match(stdout, /from 2026-01-01 to 2026-01-01, for ana \(4\), by format memory \(4\)/);
    assert.deepEqual(await all(), mine(list));
  });

  it('writes nothing the second time, and only what has changed the third', async (t) => {
    const { world, write, importing, all } = await createAna(t);
    const list = memories(3);
    const file = write('lines.jsonl', lines(list));
    await importing([file]);
    const changes = () => world.gateway.as('ana').changes.list();
    const [before, store] = [await changes(), world.writer.accounts.list()];
    const again = read((await importing([file, '--json'])).stdout);
    assert.deepEqual([again.added, again.updated, again.unchanged], [0, 0, 3]);
    assert.deepEqual(await changes(), before, 'no change in the feed');
    assert.deepEqual(world.writer.accounts.list(), store);

    const changed = list.map((each) => (each.id === 'm001' ? { ...each, name: 'Other' } : each));
    const third = read((await importing(['-', '--json'], lines(changed))).stdout);
    assert.deepEqual([third.added, third.updated, third.unchanged], [0, 1, 2]);
    assert.deepEqual(await all(), mine(changed));
    const order = (await changes()).map(({ memory_id }) => memory_id);
    assert.deepEqual(order, ['m000', 'm002', 'm001'], 'one more change, the latest');
  });

  it('lists each reject with its file, line or item and reason, and takes the rest', async (t) => {
    const { write, importing, all } = await createAna(t);
    const list = memories(3);
    const file = write(
      'lines.jsonl',
      `${lines(list.slice(0, 1))}{"id":\n\n${lines([{ ...list[1], started_at: 'today' }, list[2]])}`,
    );
    const array = write('array.json', JSON.stringify([{ ...list[1], id: '' }]));
    const { code, stdout, stderr } = await importing([file, array, '--json']);
    assert.equal(code, 1);
    assert.deepEqual(stderr.split('\n'), [
      `${file}:2: it is not JSON, or breaks off.`,
      `${file}:4: its start time cannot be read: "today".`,
      `${array}, item 1: id: it is empty.`,
      '',
    ]);
    const said = read(stdout);
    assert.deepEqual([said.added, said.rejected, said.committed], [2, 3, true]);
    assert.deepEqual(
      said.rejects.map(({ line, item }) => [line, item]),
      [
        [2, undefined],
        [4, undefined],
        [undefined, 1],
      ],
    );
    assert.deepEqual(
      (await all()).map(({ id }) => id),
      ['m000', 'm002'],
    );
  });

  it('writes all or nothing when asked to', async (t) => {
    const { importing, all } = await createAna(t);
    const broken = `${lines(memories(1200))}broken\n`;
    const { code, stdout } = await importing(['-', '--all-or-nothing'], broken);
    assert.equal(code, 1);
    assert.match(stdout, /1200 memories would be added, [^]*Nothing was written/);
    assert.deepEqual(await all(), []);
    const whole = await importing(['-', '--all-or-nothing', '--json'], lines(memories(1200)));
    assert.deepEqual([whole.code, read(whole.stdout).committed], [0, true]);
    assert.equal((await all()).length, 1200);
  });

  it('says what a dry run would do, and changes no byte', async (t) => {
    const { world, importing, all } = await createAna(t);
    const [first, second, third] = memories(3);
    world.writer.memories.put('ana', first as Memory);
    world.writer.memories.put('ana', second as Memory);
    const before = hashOf(world);
    const input = lines([first, { ...second, name: 'Other' }, third, { ...third, name: 'Two' }, 1]);
    const json = read((await importing(['-', '--dry-run', '--json'], input)).stdout);
    assert.deepEqual(
      [json.added, json.updated, json.unchanged, json.rejected, json.committed],
      [1, 1, 1, 2, false],
    );
    const { stdout } = await importing(['-', '--dry-run'], input);
    assert.match(stdout, /1 memory would be added, 1 would be updated, 1 unchanged, 2 rejected/);
    assert.match(stdout, /2026-01-01 00:02Z {2}m002 {2}Memory m002: xxxxxxxxxx$/m);
    assert.equal(hashOf(world), before);
    assert.equal((await all()).length, 2);
    assert.equal((await world.gateway.as('ana').changes.list()).length, 2);
  });

  it('keeps the first of two memories with one id, and says so of the second', async (t) => {
    const { importing, all } = await createAna(t);
    const twice = memory({ id: 'twice' });
    const input = lines([twice, { ...twice, name: 'Another' }, twice]);
    for (const added of [1, 0]) {
      const { code, stdout, stderr } = await importing(['-', '--json'], input);
      assert.equal(code, 1);
      assert.match(stderr, /^standard input:2: another memory with its id, twice, came before it/);
      assert.deepEqual([read(stdout).added, read(stdout).unchanged], [added, 2 - added]);
      assert.deepEqual(await all(), mine([twice]));
    }
  });

  it('does not let one product write over what another counted up to', async (t) => {
    const { importing, all } = await createAna(t);
    const bee = {
      id: 7,
      start_time: Date.parse('2026-11-18T09:00:00Z'),
      transcriptions: [{ utterances: [{ speaker: 'Mira', text: 'Bees count.' }] }],
    };
    const speakr = { id: 7, meeting_date: '2026-11-19T09:00:00Z', transcription: 'So do I.' };
    assert.equal((await importing(['-'], lines([bee]))).code, 0);
    const changed = { ...bee, short_summary: 'They do.' };
    const again = read((await importing(['-', '--json'], lines([changed]))).stdout);
    assert.deepEqual([again.updated, again.rejected], [1, 0], 'the same, seen again');
    const corrected = { ...changed, start_time: Date.parse('2026-11-18T10:00:00Z') };
    const third = read((await importing(['-', '--json'], lines([corrected]))).stdout);
    assert.deepEqual([third.updated, third.rejected], [1, 0], 'its start, corrected');
    for (const more of [[], ['--dry-run']]) {
      const other = await importing(['-', '--json', ...more], lines([speakr, speakr]));
      assert.deepEqual([other.code, read(other.stdout).rejected], [1, 2]);
      assert.match(other.stderr, /:1: the memory 7 that is there began at another time/);
    }
    assert.deepEqual(
      (await all()).map(({ summary, transcript }) => [summary.quick_summary, transcript]),
      [['They do.', 'Mira: Bees count.']],
    );
  });

  it('does not let captions write over others whose file has the same name', async (t) => {
    const { write, importing, all } = await createAna(t);
    const monday = ['--started-at', '2026-11-16T09:00:00Z', '--json'];
    const tuesday = ['--started-at', '2026-11-17T09:00:00Z', '--json'];
    const captions = (words: string) => {
      const file = write('transcript.vtt', `WEBVTT\n\n00:01.000 --> 00:02.000\n${words}\n`);
      return (more: readonly string[]) => importing([file, ...more]);
    };
    assert.equal((await captions('Of Monday.')(monday)).code, 0);
    for (const more of [[], ['--dry-run']]) {
      const other = await captions('Of Tuesday.')([...tuesday, ...more]);
      assert.deepEqual([other.code, read(other.stdout).rejected], [1, 1]);
      assert.match(
        other.stderr,
        /: the memory transcript\.vtt that is there began at another time and has other words/,
      );
    }
    assert.deepEqual(
      (await all()).map(({ transcript }) => transcript),
      ['Of Monday.'],
    );
    const corrected = read((await captions('Of Monday!')(monday)).stdout);
    const copied = read((await captions('Of Monday!')(tuesday)).stdout);
    assert.deepEqual([corrected.updated, copied.updated], [1, 1]);
  });

  it('gives memories to the account they name, to the one that is named, or to the only one', async (t) => {
    const { world, importing, all } = await createAna(t);
    const [first, second, third] = memories(3);
    const only = await importing(['-'], lines([first]));
    assert.equal(only.code, 0, 'the only account');

    world.addAccount('bo');
    const own = await importing(['-'], lines([{ ...second, user_id: 'bo' }]));
    assert.equal(own.code, 0);
    const unknown = await importing(['-'], lines([{ ...second, user_id: 'cy' }]));
    assert.equal(unknown.code, 1);
    assert.match(
      unknown.stderr,
      /^standard input: there is no account "cy"; create it with "accounts create/,
    );
    const open = await importing(['-'], lines([third]));
    assert.equal(open.code, 2);
    assert.match(open.stderr, /^memory-gateway: Give --account ID: .* there are 2 accounts\.\n$/);
    const named = await importing(['-', '--account', 'ana'], lines([{ ...third, user_id: 'bo' }]));
    assert.equal(named.code, 0);
    assert.deepEqual(await all(), mine([first as Memory, third as Memory]));
    const ofBo = await world.gateway.as('bo').memories.list();
    assert.deepEqual(ofBo, [{ ...second, user_id: 'bo' }]);
    const late = [{ ...first, user_id: 'ana' }, third, { ...second, user_id: 'bo' }];
    const rest = await importing(['-'], lines(late));
    assert.equal(rest.code, 1, 'the rest is taken');
    assert.match(rest.stderr, /^standard input:2: nothing says whose it is; give --account\.\n$/);
    const nobody = await importing(['-', '--account', 'nobody'], lines([third]));
    assert.deepEqual([nobody.code, nobody.stdout], [1, '']);
  });

  it('says what to do where there is no account, and counts whatever accounts are called', async (t) => {
    const database = engine.create(t, newFolder());
    const none = await run(['import', '-', '--database', database], { input: lines(memories(1)) });
    assert.deepEqual(none, {
      code: 1,
      stdout: '',
      stderr: 'memory-gateway: There is no account yet; "accounts create" makes one.\n',
    });
    const { world, importing } = await createAna(t);
    world.addAccount('constructor');
    const given = memories(1).map((each) => ({ ...each, user_id: 'constructor' }));
    const { stdout } = await importing(['-', '--json'], lines(given));
    assert.deepEqual(read(stdout).accounts, { constructor: 1 });
  });

  it(
    'shows how far it is on a terminal, with rejects above, and reads a pipe there, too',
    { skip: process.platform !== 'linux' && 'needs script(1) of Linux' },
    async (t) => {
      const { world, write, all } = await createAna(t);
      const list = memories(1500, 2000);
      const file = write(
        'a.jsonl',
        `${lines(list.slice(0, 700))}broken\n${lines(list.slice(700))}`,
      );
      const program = `${PROGRAM_WORDS.join(' ')} import --database ${world.database}`;
      for (const command of [`${program} ${file}`, `cat ${file} | ${program} -`]) {
        const terminal = spawn('script', ['-qec', command, '/dev/null']);
        const [said] = await Promise.all([text(terminal.stdout), once(terminal, 'close')]);
        assert.match(said, /:701: it is not JSON, or breaks off\.\r\n/, command);
        assert.match(said, /1 file read: \d+ memories added, 0 updated, \d+ unchanged, 1 rejected/);
        if (command.endsWith('-')) assert.match(said, /MB \| \d+ written, \d+ a second/);
        else assert.match(said, /█░* \d+ % \| [\d.]+ MB of 3\.\d MB \| \d+ written/);
      }
      assert.equal((await all()).length, 1500);
    },
  );

  it('reads times without an offset by the clocks of a zone', async (t) => {
    const { importing, all } = await createAna(t);
    const input = lines([{ id: 'a', started_at: '2026-07-01 09:00:00', transcript: '' }]);
    await importing(['-', '--timezone', 'Europe/Berlin'], input);
    assert.equal((await all())[0]?.started_at, '2026-07-01T07:00:00.000Z');
  });

  it('names in its help every format that the README has', async () => {
    const { stdout } = await run(['help', 'import']);
    const section = stdout.slice(stdout.indexOf('Formats:'));
    const named = Array.from(section.matchAll(/^ {2}([a-z]+) /gm), ([, name]) => name);
    assert.deepEqual(named, formatNames);
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    for (const name of formatNames) assert.match(readme, new RegExp(`^\\| \`${name}\` \\|`, 'm'));
  });

  it('is one sentence where it is called wrongly, or cannot begin', async (t) => {
    const { importing } = await createAna(t);
    const calls: [string[], number, RegExp][] = [
      [[], 2, /Give at least one FILE/],
      [['-', '--format', 'vhs'], 2, /--format takes memory, .*, not "vhs"/],
      [['-', '--timezone', '+02:00'], 2, /--timezone takes the name of an IANA time zone/],
      [['-', '--started-at', 'now'], 2, /--started-at takes a time such as/],
      [['/nowhere/a.json'], 1, /\/nowhere\/a\.json/],
    ];
    for (const [args, code, sentence] of calls) {
      const said = await importing(args);
      assert.equal(said.code, code, args.join(' '));
      assert.match(said.stderr, sentence);
      assert.match(said.stderr, /^memory-gateway: [^\n]+\n$/);
      assert.equal(said.stdout, '');
    }
  });

  it('takes back what export wrote, byte for byte', async (t) => {
    const { world, importing } = await createAna(t);
    for (const name of ['mira', 'tomas', 'leila'])
      await importing([join(ROOT, `fixtures/memories/${name}.json`), '--account', 'ana']);
    const odd = { name: 'A lone \ud800, a \u0000, \u2028 and "quotes"', transcript: 'a\r\nb\n' };
    world.writer.memories.put('ana', memory({ id: 'odd', ...odd }));
    const exporting = (database: string) =>
      run(['export', '--account', 'ana', '--database', database]);
    const first = await exporting(world.database);
    assert.ok(first.stdout.split('\n').length > 40);

    const other = await createAna(t);
    const { code } = await other.importing(['-'], first.stdout);
    assert.equal(code, 0);
    const second = await exporting(other.world.database);
    assert.equal(second.stdout, first.stdout);
    assert.equal(second.stderr, first.stderr, 'their number and their hash');
  });
});

describe('An import of 300 MB', () => {
  it(
    'takes as much memory as one of 30 MB',
    { skip: noLoading || (process.platform !== 'linux' && 'reads /proc') },
    async (t) => {
      const { world } = await createAna(t);
      // Garbage that nobody has collected yet counts as memory: there is no room for it in a small heap.
      const env = { NODE_OPTIONS: '--max-old-space-size=96' };
      /** The most memory that an import of so many memories of 100 kB ever had, in MB. */
      const peakOf = async (count: number, how: string) => {
        const args = ['import', '-', '--dry-run', '--database', world.database];
        const child = start(args, { env });
        let peak = 0;
        const transcript = 'milk and fridge '.repeat(6400);
        const parts = function* () {
          if (how === 'array') yield '[';
          for (let i = 0; i < count; i++) {
            const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
            peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
            const end = how === 'array' ? (i === count - 1 ? '\n]' : ',\n') : '\n';
            yield JSON.stringify(memory({ id: `m${i}`, transcript })) + end;
          }
        };
        const [said] = await Promise.all([
          waitFor(child, 'stdout', /rejected/),
          pipeline(Readable.from(parts()), child.stdin),
        ]);
        assert.match(said, new RegExp(`^1 file read: ${count} memories would be added`));
        return peak;
      };
      for (const how of ['lines', 'array']) {
        const [little, much] = [await peakOf(300, how), await peakOf(3000, how)];
        t.diagnostic(`${how}: ${Math.round(little)} MB, and ${Math.round(much)} MB`);
        assert.ok(much - little < 128, `${how}: ${little} MB, and ${much} MB`);
      }
    },
  );
});
