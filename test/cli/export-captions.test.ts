// export of captions, texts and tables: they have the lines of the memories, and an import reads them again.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { toSrt, toTimedText, toVtt } from '../../src/formats/captions/write.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

/** Four lines that an import finds in captions, with speakers and without. */
const CALL = `WEBVTT

00:00:01.500 --> 00:00:04.000
<v Mira Okafor>Is 3 &lt; 4 &amp; true?

00:00:04.000 --> 00:00:07.250
<v Henrik Holm>It is, I think.

01:00:00.000 --> 01:00:02.000
<v Mira Okafor>An hour has passed.

01:00:02.000 --> 01:00:09.000
<v 先生>はい。
`;

const LINES = [
  'Mira Okafor: Is 3 < 4 & true?',
  'Henrik Holm: It is, I think.',
  'Mira Okafor: An hour has passed.',
  '先生: はい。',
].join('\n');

const STARTED = '2026-11-18T09:00:25.000Z';

/** Creates two accounts: the first has a call with times of lines, and memories without. */
async function createAccounts(t: TestContext, others: readonly Memory[] = []) {
  const world = await createWorld(t);
  for (const [id, list] of [
    ['ana', others],
    ['ben', []],
  ] as const)
    world.addAccount(id, list);
  const folder = newFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '2026-11-18 09.00.25Z Call.vtt'), CALL);
  const database = ['--database', world.database];
  const imported = await run(['import', ...database, '--account', 'ana', folder]);
  assert.equal(imported.code, 0, imported.stderr);
  const target = newFolder();
  const out = (format: string, ...args: string[]) =>
    run(['export', ...database, '--account', 'ana', '--format', format, ...args]);
  const into = (...args: string[]) => run(['import', ...database, '--account', 'ben', ...args]);
  const listOf = async (account: string) => {
    const { stdout } = await run(['export', ...database, '--account', account]);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Memory);
  };
  return { out, into, listOf, target };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}

describe('export of a folder of captions or texts', () => {
  for (const format of ['vtt', 'srt', 'txt'])
    it(`is imported again with the same lines, speakers and start, as ${format}`, async (t) => {
      const { out, into, listOf, target } = await createAccounts(t);
      assert.equal((await out(format, '--output', target)).code, 0);
      // The name of the memory no longer has the time of the file that it was imported from.
      const name = `2026-11-18 09.00.25Z Call.${format}`;
      assert.deepEqual(filesIn(target), ['2026', `2026/${name}`, 'SHA256SUMS']);
      const { code, stderr } = await into(join(target, '2026'));
      assert.equal(code, 0, stderr);
      const [call] = await listOf('ben');
      assert.equal(call?.transcript, LINES);
      assert.equal(call.started_at, STARTED);
    });

  it('leaves out memories without times of lines, and says how many', async (t) => {
    const others = ['one', 'two'].map((id) => memory({ id, transcript: 'Ana: no times' }));
    const { out, target } = await createAccounts(t, others);
    const { code, stderr } = await out('vtt', '--output', target);
    assert.equal(code, 0);
    assert.match(stderr, /Exported 1 memory of account ana;/);
    assert.match(
      stderr,
      /Left out 2 memories without times of lines; --format txt writes their transcripts\./,
    );
    const { stdout } = await out('srt', '--output', newFolder(), '--json');
    assert.equal((JSON.parse(stdout) as { left_out: number }).left_out, 2);
  });

  it('has texts of memories without times, and none of those without words', async (t) => {
    const others = [
      memory({ id: 'words', name: 'Words', transcript: 'Ana: no times' }),
      memory({ id: 'none', transcript: '' }),
    ];
    const { out, target } = await createAccounts(t, others);
    const { stderr } = await out('txt', '--output', target);
    assert.match(stderr, /Left out 1 memory without a transcript\./);
    const name = filesIn(target).find((each) => each.endsWith('Words.txt')) ?? '';
    assert.equal(readFileSync(join(target, name), 'utf8'), 'Ana: no times\n');
  });
});

describe('export of a table', () => {
  it('is imported again as the same memories', async (t) => {
    const others = [
      memory({
        id: 'odd',
        name: 'A "name", with; all',
        transcript: ' Ana: =1+1\n\n"Ben": a,b\t;\n',
        summary: { quick_summary: 'Two\nlines', key_takeaways: ['one', 'a, "b"'] },
      }),
      memory({
        id: '-formulas',
        name: '=HYPERLINK("https://evil.example")',
        transcript: '- one\n- two',
        summary: { quick_summary: "'=kept", key_takeaways: ['@SUM(1)', "'a"] },
      }),
    ];
    const { out, into, listOf, target } = await createAccounts(t, others);
    mkdirSync(target, { recursive: true });
    const file = join(target, 'memories.csv');
    assert.equal((await out('csv', '--output', file)).code, 0);
    const { code, stderr } = await into('--format', 'csv', file);
    assert.equal(code, 0, stderr);
    const given = await listOf('ana');
    assert.equal(given.length, 3);
    assert.deepEqual(
      await listOf('ben'),
      given.map((each) => ({ ...each, user_id: 'ben' })),
    );
  });

  it('has no cell that a spreadsheet runs as a formula', async (t) => {
    const formulas = ['=1+1', '+1', '-1+1', '@SUM(1)', '\t=1', '＝1+1', "'=1"];
    const list = formulas.map((name, i) => memory({ id: `m${i}`, name, transcript: '' }));
    const { out } = await createAccounts(t, list);
    const { stdout } = await out('csv', '--started-before', '2026-11-18');
    for (const name of formulas) assert.match(stdout, new RegExp(`,"?'${RegExp.escape(name)}"?,`));
  });

  it('is a header alone if there are no memories', async (t) => {
    const { out } = await createAccounts(t);
    const { stdout } = await out('csv', '--q', 'nowhere');
    assert.equal(
      stdout,
      'id,name,started_at,ended_at,duration_seconds,is_processing,user_id,transcript,quick_summary,key_takeaways\n',
    );
  });
});

describe('Captions', () => {
  const timed = {
    transcript: 'Ana: one\n\ntwo --> <three>\nBen: four\nfive',
    line_starts_ms: [1000, null, null, 3500, 2000],
    duration_seconds: 8,
  };

  it('show a line without a time with the line before it, and keep the order of lines', () => {
    assert.equal(
      toVtt(timed),
      `WEBVTT

00:00:01.000 --> 00:00:03.500
<v Ana>one</v>

00:00:01.000 --> 00:00:03.500
two --&gt; &lt;three&gt;

00:00:03.500 --> 00:00:08.000
<v Ben>four</v>

00:00:03.500 --> 00:00:08.000
five
`,
    );
  });

  it('have numbers and commas in SubRip, and end after their start', () => {
    const late = { transcript: 'Ana: late', line_starts_ms: [3_723_004], duration_seconds: 0 };
    assert.equal(toSrt(late), '1\n01:02:03,004 --> 01:02:04,004\nAna: late\n');
  });

  it('have no words in SubRip that begin a caption', () => {
    const transcript = 'Ana: one\n00:00:00,000 --> 09:00:00,000\nBen: a --> b';
    const words = toSrt({ transcript, line_starts_ms: [0, 1000, 2000], duration_seconds: 3 });
    assert.equal(words?.match(/-->/g)?.length, 3);
    assert.ok(words.includes('\n00:00:00,000 -- > 09:00:00,000\n'));
    assert.ok(words.includes('\nBen: a -- > b\n'));
  });

  it('are none of a transcript without times', () => {
    for (const line_starts_ms of [null, [], [null]]) {
      const none = { transcript: 'Ana: one', line_starts_ms, duration_seconds: 1 };
      assert.deepEqual([toVtt(none), toSrt(none)], [undefined, undefined]);
    }
  });

  it('are text with times where these are known', () => {
    assert.equal(
      toTimedText(timed),
      '[00:00:01.000] Ana: one\n\ntwo --> <three>\n[00:00:03.500] Ben: four\n[00:00:02.000] five\n',
    );
  });
});
