// export --details and --originals: everything that is known of memories, and the files that they were made from.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import type { Details } from '../../src/contract/schemas/details.ts';
import type { Memory } from '../../src/contract/schemas/memory.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { engine } from '../support/engines/engine.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { fullDetails, person } from '../support/world/details.ts';
import { filesIn } from '../support/world/files-in.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

type Exported = Memory & { readonly details?: Omit<Details, 'memory_id' | 'original'> };

/** Creates a world of Ana, and commands on its database. */
async function createAna(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount('ana', []);
  const on = (...args: string[]) => run([...args, '--database', world.database]);
  const succeed = async (...args: string[]) => {
    const { code, stdout, stderr } = await on(...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  return { world, on, succeed };
}

const talk = (id: string) => memory({ id, transcript: 'Speaker 1: Hüm?\nBo: Yes.' });

const known = fullDetails({
  line_starts_ms: [0, null],
  audio: 'talks/a.mp3',
  people: [person('Speaker 1', { speaking_ms: 900 }), person('Bo')],
  action_items: [{ text: 'Call', owner: 'Speaker 1', due: '2026-12-01', done: null, line: 2 }],
});

describe('export --details', () => {
  it('is imported again and exported again with equal bytes, corrections included', async (t) => {
    const { world, succeed } = await createAna(t);
    world.writer.memories.putReady([
      prepareMemory('ana', talk('a'), { ...known, imported_at: Date.parse('2026-11-20') }),
      prepareMemory('ana', talk('b'), { ...known, original: undefined, imported_at: null }),
    ]);
    await succeed('edit', 'a', '--speaker', 'Speaker 1=Ann', '--name', 'Corrected');
    for (const format of ['jsonl', 'json']) {
      const first = await succeed('export', '--details', '--format', format);
      const file = join(newFolder(), `first.${format}`);
      writeFileSync(file, first);
      const other = await createAna(t);
      await other.succeed('import', file);
      assert.equal(await other.succeed('export', '--details', '--format', format), first);
      const again = await other.on('import', file, '--json');
      assert.match(again.stdout, /"unchanged": ?2/);
      assert.equal(await other.succeed('export', '--details', '--format', format), first);
    }
    const [a, b] = (await succeed('export', '--details'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Exported);
    assert.deepEqual(
      [a?.name, a?.transcript, a?.details?.corrections.length, a?.details?.source.imported_at],
      ['Corrected', 'Ann: Hüm?\nBo: Yes.', 2, '2026-11-20T00:00:00.000Z'],
    );
    assert.deepEqual(a?.details?.line_starts_ms, [0, null]);
    assert.equal(b?.details?.source.imported_at, null);
  });

  it('keeps earlier corrections when the memory is corrected again, and when that is taken back', async (t) => {
    const { world, succeed } = await createAna(t);
    world.writer.memories.putReady([prepareMemory('ana', talk('a'), known)]);
    await succeed('edit', 'a', '--speaker', 'Speaker 1=Ann');
    const file = join(newFolder(), 'first.jsonl');
    const first = await succeed('export', '--details');
    writeFileSync(file, first);
    const other = await createAna(t);
    await other.succeed('import', file);
    const corrections = async () => {
      const line = await other.succeed('export', '--details');
      const { details } = JSON.parse(line) as Exported;
      return details?.corrections.map(({ field, from, to }) => [field, from, to]);
    };
    await other.succeed('edit', 'a', '--name', 'Talk');
    assert.deepEqual(await corrections(), [
      ['speaker', 'Speaker 1', 'Ann'],
      ['name', 'Memory a', 'Talk'],
    ]);
    await other.succeed('edit', 'a', '--speaker', 'Bo=Bob');
    assert.equal((await corrections())?.length, 3);
    await other.succeed('edit', 'a', '--reset');
    assert.equal(await other.succeed('export', '--details'), first);
  });

  it('adds nothing to the bytes of a memory without the option', async (t) => {
    const { world, succeed } = await createAna(t);
    const [plain, detailed] = [
      prepareMemory('ana', talk('a')),
      prepareMemory('ana', talk('a'), known),
    ];
    world.writer.memories.putReady([plain]);
    const before = await succeed('export');
    world.writer.memories.putReady([detailed]);
    assert.equal(await succeed('export'), before);
  });

  it('needs JSON, and refuses damaged details', async (t) => {
    const { world, on } = await createAna(t);
    const { code, stderr } = await on('export', '--details', '--format', 'csv');
    assert.deepEqual([code, /--details needs --format jsonl or json/.test(stderr)], [2, true]);
    world.writer.memories.putReady([prepareMemory('ana', talk('a'), known)]);
    engine.edit(world.database, `UPDATE details SET body_sha256 = '${'0'.repeat(64)}'`);
    const damaged = await on('export', '--details');
    assert.deepEqual([damaged.code, /its details are damaged/.test(damaged.stderr)], [1, true]);
  });
});

/** Returns the originals in a folder, without the list of their hashes. */
function originalsIn(folder: string): Map<string, string> {
  const files = filesIn(folder, 'latin1');
  files.delete('SHA256SUMS');
  return files;
}

describe('export --originals', () => {
  it('writes each original once, with its bytes, and the name of its file if it was one', async (t) => {
    const { succeed, on } = await createAna(t);
    const inbox = newFolder();
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ana>Hüm.\n';
    const omi = ['x', 'y'].map((id) => ({
      id,
      created_at: '2026-11-16T09:00:00Z',
      started_at: '2026-11-16T09:00:00Z',
      finished_at: '2026-11-16T09:01:00Z',
      structured: { title: id, overview: '' },
      transcript_segments: [{ text: 'Hi.', speaker: 'SPEAKER_00', start: 0, end: 1 }],
    }));
    const files: Record<string, string> = {
      'Talk [1].vtt': vtt,
      'CON.vtt': vtt.replace('Ana', 'Bo'),
      'omi.json': JSON.stringify(omi),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(inbox, name), text);
    await succeed('import', '--started-at', '2026-11-18T09:00:00Z', inbox);
    const folder = join(newFolder(), 'originals');
    const { stderr } = await on('export', '--originals', folder);
    assert.match(stderr, /^Exported 4 memories of account ana; the SHA-256 of SHA256SUMS is /);
    assert.deepEqual(
      [...originalsIn(folder)],
      [
        ['2026/2026-11-16/x.json', JSON.stringify(omi[0])],
        ['2026/2026-11-16/y.json', JSON.stringify(omi[1])],
        ['2026/2026-11-18/Talk 1.vtt', Buffer.from(vtt).toString('latin1')],
        [
          '2026/2026-11-18/original CON.vtt',
          Buffer.from(vtt.replace('Ana', 'Bo')).toString('latin1'),
        ],
      ],
    );
  });

  it('writes one file for memories that were made from the same bytes, and leaves out those without', async (t) => {
    const { world, on } = await createAna(t);
    const bytes = Buffer.from([0, 255, 10, 13, 200]);
    const original = { media_type: 'application/octet-stream', bytes, reading: '{}' };
    const details = { ...known, original };
    world.writer.memories.putReady([
      prepareMemory('ana', talk('..a'), details),
      prepareMemory('ana', talk('b'), details),
      prepareMemory('ana', talk('c')),
    ]);
    const folder = join(newFolder(), 'originals');
    const { stderr } = await on('export', '--originals', folder);
    assert.match(stderr, /^Exported 2 memories .*\nLeft out 1 memory without an original\.\n$/);
    const files = [...originalsIn(folder)];
    assert.deepEqual(files, [['2026/2026-11-16/a', bytes.toString('latin1')]]);
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    assert.equal(sums, `${hash('sha256', bytes)}  2026/2026-11-16/a\n`);
  });

  it('keeps every file below the folder, whatever name a file had', async (t) => {
    const { world, on } = await createAna(t);
    const names = [
      '../../up.vtt',
      '/etc/passwd.vtt',
      'a\\..\\b.vtt',
      '...vtt',
      'x/../../y.vtt',
      '.vtt',
    ];
    world.writer.memories.putReady(
      names.map((full_name, i) => {
        const reading = JSON.stringify({ name: full_name, full_name });
        const original = { media_type: 'text/vtt', bytes: Buffer.from(`${i}`), reading };
        return prepareMemory('ana', talk(`m${i}`), { ...known, original });
      }),
    );
    const root = newFolder();
    const { code, stderr } = await on('export', '--originals', join(root, 'originals'));
    assert.equal(code, 0, stderr);
    assert.deepEqual(readdirSync(root), ['originals']);
    assert.deepEqual(readdirSync(join(root, 'originals')).toSorted(), ['2026', 'SHA256SUMS']);
    assert.equal(originalsIn(join(root, 'originals')).size, names.length);
  });

  it('writes nothing if one is damaged, and takes no --output', async (t) => {
    const { world, on } = await createAna(t);
    world.writer.memories.putReady([prepareMemory('ana', talk('a'), known)]);
    const folder = join(newFolder(), 'originals');
    const both = await on('export', '--originals', folder, '--output', 'x');
    assert.deepEqual([both.code, /leave --output out/.test(both.stderr)], [2, true]);
    engine.edit(world.database, `UPDATE originals SET bytes = bytes - 1`);
    const { code, stderr } = await on('export', '--originals', folder);
    assert.deepEqual([code, /its original is damaged/.test(stderr)], [1, true], stderr);
    assert.throws(() => statSync(folder), { code: 'ENOENT' });
  });
});
