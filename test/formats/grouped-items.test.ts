// Consecutive items that belong to one memory, also with other items between them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { recognise } from '../../src/formats/json/groups.ts';
import { memory } from '../../src/formats/products/memory.ts';
import { readWhole } from '../support/formats/read-file.ts';
import { ROOT } from '../support/world/program.ts';

const START = Date.parse('2026-11-12T09:00:00.000Z');

describe('A conversation in several chunks', () => {
  it('is the same whether the newest comes first or last', async () => {
    const file = join(ROOT, 'fixtures/formats/screenpipe/newest-first.json');
    const { data } = JSON.parse(readFileSync(file, 'utf8')) as { data: unknown[] };
    const newest = await memoriesOf(data);
    assert.equal(newest.length, 3);
    assert.deepEqual(await memoriesOf(data.toReversed()), newest.toReversed());
  });

  it('keeps its id when it gets longer', async () => {
    const chunks = Array.from({ length: 20 }, (_, i) => chunk(i));
    const [before] = await memoriesOf(chunks.slice(0, 5));
    const [after] = await memoriesOf(chunks);
    assert.equal(after?.id, before?.id);
    assert.equal(after?.transcript, `Mira: ${chunks.map((_, i) => `word ${i}`).join(' ')}`);
  });

  it('is complete if its pages follow each other, and two memories if they do not', async () => {
    const newestFirst = [6, 5, 4, 3, 2, 1].map(chunk);
    const pages = [newestFirst.slice(0, 3), newestFirst.slice(3)];
    const read = async (parts: readonly string[]) => idsOf(await readWhole({ name: '' }, parts));
    const texts = pages.map((data) => `${JSON.stringify({ data })}\n`);
    assert.deepEqual(await read(texts), ['screenpipe-1']);
    assert.deepEqual(await read(texts.slice(0, 1)), ['screenpipe-4'], 'as the manual says');
  });

  it('ends at an item of another product', async () => {
    const other = { id: 'other', started_at: '2026-11-12T09:00:30Z', transcript: '' };
    const memories = await memoriesOf([chunk(0), other, chunk(1)]);
    assert.deepEqual(
      memories.map(({ id }) => id),
      ['screenpipe-0', 'other', 'screenpipe-1'],
    );
  });

  it('is split if it is too long for memory', async () => {
    const endless = { ...memory, matches: () => true, continues: () => true };
    async function* items() {
      for (let i = 0; i <= 100_000; i++) yield { value: { i } };
    }
    const lengths: unknown[] = [];
    for await (const each of recognise(items(), [endless]))
      lengths.push('value' in each && each.value['length']);
    assert.deepEqual(lengths, [100_000, 1]);
  });
});

function chunk(i: number) {
  const timestamp = new Date(START + i * 30_000).toISOString();
  const speaker = { id: 1, name: 'Mira' };
  return {
    type: 'Audio',
    content: { chunk_id: i, transcription: `word ${i}`, timestamp, offset_index: 0, speaker },
  };
}

function idsOf(outcomes: Awaited<ReturnType<typeof readWhole>>) {
  return outcomes.map((each) => 'memory' in each && each.memory.id);
}

async function memoriesOf(items: readonly unknown[]) {
  const outcomes = await readWhole({ name: 'audio.json' }, [JSON.stringify(items)]);
  return outcomes.flatMap((each) => ('memory' in each ? each.memory : []));
}
