// memories list and show: the responses of the API, on a terminal that no memory can control.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { escapeControls, escapeLine } from '../../src/cli/output/terminal.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { fullDetails } from '../support/world/details.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount('ana', memories(30));
  const recall = (...args: string[]) => run(['memories', ...args, '--database', world.database]);
  return { world, api: world.gateway.as('ana'), recall };
}

/**
 * Characters that no output may contain: controls except line feed and tab, and direction
 * overrides.
 */
const STEERING = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/u;

const HOSTILE = 'a\u001b[2Jb\u0007\u009b31mc\u202ed\u2066e\rf\u0000\u2028\ud800g';

describe('memories list', () => {
  it('shows the newest memories, and says if there are more', async (t) => {
    const { recall } = await createAna(t);
    const { code, stdout, stderr } = await recall('list', '--limit', '2');
    assert.equal(code, 0, stderr);
    assert.equal(
      stdout,
      `STARTED            DURATION  ID    NAME
2026-01-01 00:29Z  0:00:00   m029  Memory m029
2026-01-01 00:28Z  0:00:00   m028  Memory m028
`,
    );
    const [, cursor = ''] = /^There are more\. See them with --cursor (\S+)\n$/.exec(stderr) ?? [];
    // A script must not take a page for the whole.
    const page = await recall('list', '--limit', '2', '--json');
    assert.equal(page.stderr, stderr);
    const next = await recall('list', '--cursor', cursor, '--limit', '1');
    assert.match(next.stdout, /m027  Memory m027\n$/);
    const refused = await recall('list', '--cursor', cursor, '--order', 'asc');
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, /--cursor carries the other parameters of its first request/);
    const usual = await recall('list');
    assert.equal(usual.stdout.trimEnd().split('\n').length, 1 + 20);
    const all = await recall('list', '--limit', '30');
    assert.deepEqual([all.stdout.trimEnd().split('\n').length, all.stderr], [1 + 30, '']);
  });

  it("has options that mean the same as the API's parameters", async (t) => {
    const { world, api, recall } = await createAna(t);
    world.writer.memories.put(
      'ana',
      memory({ id: 'lake', name: 'The lake', duration_seconds: 3725 }),
    );
    const fields = ['name', 'started_at', 'ended_at', 'is_processing', 'duration_seconds'] as const;
    for (const [args, input] of [
      [['--q', 'lake'], { q: 'lake' }],
      [['--order', 'asc'], { order: 'asc' }],
      [['--is-processing', 'true'], { is_processing: true }],
      [['--q', '"no such" phrase*'], { q: '"no such" phrase*' }],
      [
        ['--started-before', '2026-01-01T01:10:00+01:00'],
        { started_before: '2026-01-01T00:10:00Z' },
      ],
      [
        ['--started-after', '2026-01-01', '--timezone', 'America/New_York'],
        { started_after: '2026-01-01', timezone: 'America/New_York' },
      ],
    ] as const) {
      const { stdout } = await recall('list', ...args, '--json', '--account', 'ana');
      assert.deepEqual(
        JSON.parse(stdout),
        await api.memories.list({ ...input, limit: 20, fields }),
      );
    }
    const found = await recall('list', '--q', 'lake');
    assert.match(found.stdout, /\n2026-11-16 09:00Z +1:02:05 +lake +The lake\n$/);
    const none = await recall('list', '--q', 'xyzzy');
    assert.deepEqual([none.code, none.stdout], [0, 'There are no such memories.\n']);
  });

  it('reports errors in one sentence', async (t) => {
    const { world, recall } = await createAna(t);
    for (const [code, args, says] of [
      [2, ['list', '--limit', '0'], /--limit takes a whole number from 1 to 1000\.$/],
      [2, ['list', '--limit', 'ten'], /--limit takes a whole number/],
      [2, ['list', '--q', ' '], /--q takes 1 to 1024 characters/],
      [2, ['list', '--timezone', 'PST'], /--timezone takes the name of an IANA time zone/],
      [
        2,
        ['list', '--started-after', '2026-02-30'],
        /--started-after takes an instant such as [^(]*, or a date/,
      ],
      [2, ['list', 'm001'], /takes options only/],
      [
        1,
        ['list', '--account', 'bo'],
        /There is no account "bo"; pass the id or the name of an account: ana/,
      ],
      [2, ['show'], /Give one ID\./],
      [2, ['show', 'a b'], /ID takes 1 to 128 letters/],
      [1, ['show', 'm999'], /There is no such memory in account ana; "memories list"/],
    ] as const) {
      const ended = await recall(...args);
      assert.deepEqual([ended.code, ended.stdout], [code, ''], args.join(' '));
      assert.match(ended.stderr.trimEnd(), says);
      assert.match(ended.stderr, /^memory-gateway: [^\n]+\n$/);
    }
    const nowhere = await run(['memories', 'show', 'm001', '--database', `${world.database}x`]);
    assert.deepEqual([nowhere.code, nowhere.stdout], [1, '']);
    assert.match(
      nowhere.stderr,
      /^memory-gateway: (There is no database at [^\n]+|postgres:[^\n]+ does not exist; [^\n]+)\n$/,
    );
    world.writer.accounts.setDisabled('ana', true);
    const closed = await recall('list');
    assert.deepEqual([closed.code, closed.stdout], [1, '']);
    assert.match(closed.stderr, /^memory-gateway: There is no enabled account with this id;/);
  });
});

describe('memories show', () => {
  it('shows a memory as readable text, or as the JSON of the API', async (t) => {
    const { world, api, recall } = await createAna(t);
    world.writer.memories.put(
      'ana',
      memory({
        id: 'lake',
        name: 'The lake',
        ended_at: '2026-11-16T10:02:05.000Z',
        duration_seconds: 3725,
        summary: { quick_summary: 'Of a lake.', key_takeaways: ['Swim.', 'Row\nback.'] },
        transcript: 'Mira: Hello.\n\tTom: Hi.\n',
      }),
    );
    const shown = await recall('show', 'lake');
    assert.deepEqual([shown.code, shown.stderr], [0, '']);
    assert.equal(
      shown.stdout,
      `The lake

ID        lake
Started   2026-11-16T09:00:00.000Z
Ended     2026-11-16T10:02:05.000Z
Duration  1:02:05

Of a lake.

- Swim.
- Row
  back.

Mira: Hello.
\tTom: Hi.
`,
    );
    const json = await recall('show', 'lake', '--json');
    assert.deepEqual(JSON.parse(json.stdout), await api.memories.get({ memory_id: 'lake' }));
    const nothing = { quick_summary: '', key_takeaways: [] };
    world.writer.memories.put(
      'ana',
      memory({ id: 'new', name: '', is_processing: true, summary: nothing }),
    );
    const { stdout } = await recall('show', 'new');
    assert.match(
      stdout,
      /^Untitled\n\nID {8}new\n[^]*\nState {5}processing; the summary is not ready yet\n\nMira: Hello\.\n$/,
    );
  });
});

describe('memories show --lines', () => {
  it('shows lines with their numbers, or the JSON of the API', async (t) => {
    const { world, api, recall } = await createAna(t);
    const transcript = Array.from({ length: 12 }, (_, i) => `Mira: ${i + 1}\u001b[2J`).join('\n');
    world.writer.memories.put('ana', memory({ id: 'long', transcript }));
    world.writer.memories.put('ana', memory({ id: 'empty', transcript: '' }));
    const shown = await recall('show', 'long', '--lines', '9-10');
    assert.equal(shown.stdout, ' 9  Mira: 9\\u001b[2J\n10  Mira: 10\\u001b[2J\n');
    assert.deepEqual([shown.code, shown.stderr], [0, 'The transcript has 12 lines.\n']);
    for (const [lines, first, last] of [
      ['12', 12, 12],
      ['11-', 11, 12],
      ['2-99', 2, 12],
    ] as const) {
      const { stdout, stderr } = await recall('show', 'long', '--lines', lines, '--json');
      const range = { memory_id: 'long', first, last };
      assert.deepEqual(JSON.parse(stdout), await api.memories.lines(range), stderr);
    }
    const empty = await recall('show', 'empty', '--lines', '1-5');
    assert.equal(empty.stdout, 'The transcript is empty.\n');
  });

  it('shows when lines start, if the source says so', async (t) => {
    const { world, api, recall } = await createAna(t);
    const talk = (id: string) => memory({ id, transcript: 'Ana: Hi.\nBo: Hm.\nAna: So?' });
    const details = fullDetails({ line_starts_ms: [0, null, 3_723_999] });
    world.writer.memories.putReady([
      prepareMemory('ana', talk('timed'), details),
      prepareMemory('ana', talk('untimed')),
    ]);
    const timed = await recall('show', 'timed', '--lines', '1-', '--times');
    assert.equal(timed.stdout, '1  0:00:00  Ana: Hi.\n2           Bo: Hm.\n3  1:02:03  Ana: So?\n');
    const { stdout } = await recall('show', 'timed', '--lines', '2', '--times', '--json');
    const input = { memory_id: 'timed', first: 2, last: 2, times: true };
    assert.deepEqual(JSON.parse(stdout), await api.memories.lines(input));
    const untimed = await recall('show', 'untimed', '--lines', '1', '--times');
    assert.deepEqual(
      [untimed.stdout, untimed.stderr],
      [
        '1  Ana: Hi.\n',
        'Its source does not say when the lines start. The transcript has 3 lines.\n',
      ],
    );
    const whole = await recall('show', 'timed', '--times');
    assert.deepEqual([whole.code, /--times needs --lines/.test(whole.stderr)], [2, true]);
  });

  it('refuses what are no lines, and lines beyond the end', async (t) => {
    const { recall } = await createAna(t);
    for (const lines of ['0', '5-3', 'x', '1-2-3', '-', '1,2', '']) {
      const { code, stderr } = await recall('show', 'm001', `--lines=${lines}`);
      assert.equal(code, 2, lines);
      assert.match(stderr, /--lines takes lines such as 120-160, 120- or 120, not "/);
    }
    const beyond = await recall('show', 'm001', '--lines', '9-12');
    assert.equal(beyond.code, 2);
    assert.match(
      beyond.stderr,
      /--lines is 9, but the transcript has 1 line\. Send a number up to 1\./,
    );
  });
});

describe('A memory with terminal control characters', () => {
  it('is shown with them escaped', async (t) => {
    const { world, recall } = await createAna(t);
    world.writer.memories.put(
      'ana',
      memory({
        id: 'evil',
        name: `${HOSTILE}\n${'x'.repeat(500)}`,
        summary: { quick_summary: HOSTILE, key_takeaways: [HOSTILE] },
        transcript: HOSTILE,
      }),
    );
    for (const args of [['list'], ['list', '--limit', '1'], ['show', 'evil']]) {
      const { code, stdout, stderr } = await recall(...args);
      assert.equal(code, 0);
      assert.doesNotMatch(stdout + stderr, STEERING);
      assert.ok(stdout.includes(String.raw`a\u001b[2Jb\u0007\u009b31mc\u202ed\u2066e`), stdout);
    }
    const rows = (await recall('list', '--limit', '3')).stdout.trimEnd().split('\n');
    assert.equal(rows.length, 1 + 3, 'a line each');
    assert.ok((rows[1] ?? '').endsWith('…'));
  });

  it('is shown with an Arabic letter mark and a byte order mark', () => {
    assert.equal(escapeControls('a\u061cb\ufeffc'), String.raw`a\u061cb\ufeffc`);
  });

  it('loses no other character', () => {
    for (const text of ['one\ntwo\tthree', 'Café 🍲👨‍👩‍👧', 'خانه\u200cی ما', 'שלום\u200f!', ''])
      assert.equal(escapeControls(text), text);
    assert.equal(escapeControls('a\r\nb\rc'), 'a\nb\nc');
    assert.equal(escapeLine(' a\n\tb ', 10), 'a b');
    assert.equal(escapeLine('🍲🍲🍲', 2), '🍲…');
  });
});
