// import joins parts of memories that are in different files, whatever their order.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { newFolder } from '../support/world/artifacts.ts';
import { ROOT, run, runProcess } from '../support/world/program.ts';
import { createWorld } from '../support/world/world.ts';

const ANSWERS = join(ROOT, 'fixtures/formats/tldv/answers');
const FILES = [
  'meetings.json',
  '64f0a1-transcript.json',
  '64f0a2-transcript.json',
  'notes/64f0a1.json',
  'notes/64f0a2.json',
].map((name) => join(ANSWERS, name));

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount('ana');
  const importing = (...args: readonly string[]) =>
    run(['import', ...args, '--json', '--database', world.database]);
  const all = () => world.gateway.as('ana').memories.list({ order: 'asc' });
  return { world, importing, all };
}

interface Said {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly committed: boolean;
  readonly rejects: readonly { readonly file: string; readonly reason: string }[];
  readonly passed_over: Readonly<Record<string, number>>;
}

const said = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout) as Said;

describe('An import of files that belong together', () => {
  it('makes the same memories in any order of the files, byte for byte', async (t) => {
    const orders = [FILES, FILES.toReversed(), [...FILES.slice(2), ...FILES.slice(0, 2)]];
    const results: string[] = [];
    for (const files of orders) {
      const { importing, all } = await createAna(t);
      const counts = said(await importing(...files));
      assert.deepEqual([counts.added, counts.rejected], [2, 1]);
      results.push(JSON.stringify(await all()));
    }
    assert.equal(new Set(results).size, 1);
    assert.match(String(results[0]), /"64f0a1".*Parveen: Four patients now/);
  });

  it('names each part that lacks its other parts, with its file', async (t) => {
    const { importing } = await createAna(t);
    const [, transcript = '', , notes = ''] = FILES;
    const outcome = await importing(transcript, notes);
    assert.equal(outcome.code, 1);
    const { rejects, added } = said(outcome);
    assert.equal(added, 0);
    assert.deepEqual(new Set(rejects.map(({ file }) => file)), new Set([transcript, notes]));
    for (const { reason } of rejects)
      assert.match(reason, /^its meeting 64f0a1 is not in this import; give the file/);
  });

  it('changes nothing the second time, and updates a memory if a part has changed', async (t) => {
    const { importing, all } = await createAna(t);
    const folder = newFolder();
    cpSync(ANSWERS, folder, { recursive: true });
    await importing(folder);
    const again = said(await importing(folder));
    assert.deepEqual([again.added, again.updated, again.unchanged], [0, 0, 2]);
    const words = { meetingId: '64f0a2', data: [{ speaker: 'Mira', text: 'Milk and flour.' }] };
    writeFileSync(join(folder, '64f0a2-transcript.json'), JSON.stringify({ id: 'tr', ...words }));
    const changed = said(await importing(folder));
    assert.deepEqual([changed.added, changed.updated, changed.unchanged], [0, 1, 1]);
    assert.match(JSON.stringify(await all()), /Milk and flour/);
  });

  it('has the same counts in a dry run, which writes nothing', async (t) => {
    const { importing, all } = await createAna(t);
    const dry = said(await importing('--dry-run', ANSWERS));
    assert.deepEqual(await all(), []);
    const real = said(await importing(ANSWERS));
    const counts = ({ added, updated, unchanged, rejected }: Said) => [
      added,
      updated,
      unchanged,
      rejected,
    ];
    assert.deepEqual(counts(dry), counts(real));
    assert.deepEqual(counts(real), [2, 0, 0, 2]);
  });

  it('writes nothing with --all-or-nothing if a part is missing', async (t) => {
    const { importing, all } = await createAna(t);
    const outcome = await importing('--all-or-nothing', ANSWERS);
    assert.equal(outcome.code, 1);
    assert.equal(said(outcome).committed, false);
    assert.deepEqual(await all(), []);
    const complete = await importing('--all-or-nothing', ...FILES.slice(1), meetingsOfTwo());
    assert.equal(complete.code, 0, complete.stdout);
    assert.equal((await all()).length, 2);
  });

  it('joins files of two folders that the command names', async (t) => {
    const { importing, all } = await createAna(t);
    const [one, other] = [newFolder(), newFolder()];
    for (const file of FILES.slice(0, 1)) cpSync(file, join(one, 'meetings.json'));
    for (const [i, file] of FILES.slice(1).entries()) cpSync(file, join(other, `${i}.json`));
    await importing(other, one);
    assert.equal((await all()).length, 2);
  });

  it('keeps folders apart whose files do not name their meeting', async (t) => {
    const { importing, all } = await createAna(t);
    const recordings = join(ROOT, 'fixtures/formats/meetily/recordings');
    const folders = readdirSync(recordings).map((name) => join(recordings, name));
    const { rejects, added } = said(await importing(...folders));
    assert.equal(added, 2);
    assert.match(String(rejects[0]?.reason), /metadata\.json is not in this import/);
    const ids = (await all()).map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), ['Standup_2026-11-18_10-00-00', 'meeting-7']);
    const whole = said(await importing(recordings));
    assert.deepEqual([whole.added, whole.unchanged], [0, 2]);
  });

  it('leaves no temporary file', async (t) => {
    const { world } = await createAna(t);
    const TMPDIR = newFolder();
    const words = ['import', ANSWERS, '--json', '--database', world.database];
    const { added } = said(await runProcess(words, { env: { TMPDIR } }));
    assert.deepEqual([added, readdirSync(TMPDIR)], [2, []]);
  });

  it('says what to do if the folder for temporary files is missing', async (t) => {
    const { world } = await createAna(t);
    const TMPDIR = join(newFolder(), 'gone');
    const words = ['import', ANSWERS, '--json', '--database', world.database];
    const { rejects } = said(await runProcess(words, { env: { TMPDIR } }));
    assert.match(
      String(rejects[0]?.reason),
      /cannot be written \(ENOENT\); make room there, or set TMPDIR/,
    );
  });

  it('skips Markdown of people, and reads that of products', async (t) => {
    const { importing } = await createAna(t);
    const folder = newFolder();
    for (const name of ['2026-11-18', 'notes']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, '2026-11-18/1.md'), '# Shopping\n\n- Milk\n');
    writeFileSync(join(folder, 'notes/_summary.md'), 'Mine.\n');
    writeFileSync(join(folder, 'notes/README.md'), '# Mine\n');
    cpSync(join(ROOT, 'fixtures/formats/bee-sync/4720.md'), join(folder, '2026-11-18/4720.md'));
    const { added, rejected, passed_over } = said(await importing(folder));
    assert.deepEqual([added, rejected], [1, 0]);
    assert.equal(
      Object.values(passed_over).reduce((sum, n) => sum + n),
      3,
    );
  });

  it('knows a conversation of Bee in Markdown from the same one in JSON', async (t) => {
    const { importing, all } = await createAna(t);
    await importing(join(ROOT, 'fixtures/formats/bee-sync/4720.md'));
    const json = { id: 4720, start_time: Date.parse('2026-11-18T10:00:00Z'), transcriptions: [] };
    const file = join(newFolder(), 'bee.json');
    writeFileSync(file, JSON.stringify({ conversation: json }));
    const { added, updated } = said(await importing(file));
    assert.deepEqual([added, updated], [0, 1]);
    assert.equal((await all()).length, 1);
  });
});

/** Writes the meetings that have a transcript. */
function meetingsOfTwo(): string {
  const file = join(newFolder(), 'meetings.json');
  const meetings = ['64f0a1', '64f0a2'].map((id) => ({ id, happenedAt: '2026-11-18T10:00:00Z' }));
  writeFileSync(file, JSON.stringify(meetings));
  return file;
}
