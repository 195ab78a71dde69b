// An import, a pull and a watch say what they found: years, what memories lack, and what is not kept.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';
import { createWorld } from '../support/world/world.ts';

const segment = (text: string, more: object) => ({ text, ...more });

/** Conversations of Omi: of two years, one with labels for names, one without times, one without words. */
const CONVERSATIONS = [
  {
    id: 'one',
    started_at: '2025-11-18T09:00:00Z',
    structured: { title: 'One', emoji: '🐝' },
    geolocation: { latitude: 47 },
    transcript_segments: [segment('Milk.', { speaker_name: 'Mira', start: 0, end: 1 })],
  },
  {
    id: 'two',
    started_at: '2026-11-18T09:00:00Z',
    structured: { title: 'Two', emoji: '🐝' },
    transcript_segments: [segment('Bread.', { speaker: 'SPEAKER_00', start: 0, end: 1 })],
  },
  {
    id: 'three',
    started_at: '2026-11-19T09:00:00Z',
    structured: { title: 'Three' },
    transcript_segments: [segment('Salt.', { speaker_name: 'Ana' })],
  },
  { id: 'four', started_at: '2026-11-20T09:00:00Z', structured: {}, transcript_segments: [] },
];

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount('ana');
  const folder = newFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'omi.json'), JSON.stringify(CONVERSATIONS));
  return { folder, database: ['--database', world.database] };
}

const FOUND = {
  years: { 2025: 1, 2026: 3 },
  months: { '2025-11': 1, '2026-11': 3 },
  without_transcript: 1,
  without_line_times: 1,
  unnamed_speakers: 1,
  not_kept: { omi: { 'structured.emoji': 2, geolocation: 1 } },
};

function foundIn(stdout: string) {
  const { years, months, without_transcript, without_line_times, unnamed_speakers, not_kept } =
    JSON.parse(stdout) as typeof FOUND;
  return { years, months, without_transcript, without_line_times, unnamed_speakers, not_kept };
}

describe('The report of an import', () => {
  it('has the years, what memories lack, and the properties that are not kept', async (t) => {
    const { folder, database } = await createAna(t);
    const { stdout, code } = await run(['import', folder, ...database]);
    assert.equal(code, 0);
    assert.deepEqual(stdout.trimEnd().split('\n').slice(2), [
      'By year: 2025 (1), 2026 (3).',
      'Of them: 1 without a transcript, 1 without times of lines, 1 with speakers without names.',
      'Not kept of omi: structured.emoji (2), geolocation (1).',
    ]);
  });

  it('has the same in --json', async (t) => {
    const { folder, database } = await createAna(t);
    const { stdout } = await run(['import', folder, '--json', ...database]);
    assert.deepEqual(foundIn(stdout), FOUND);
  });

  it('names the columns of a table that are no field of a memory, also if they are called as a part of one', async (t) => {
    const { folder, database } = await createAna(t);
    const table = join(folder, 'calls.csv');
    writeFileSync(
      table,
      'id,when,transcript,mood,summary,empty\na,2026-11-18,Mira: Milk.,calm,Shopping,\nb,2026-11-19,x,,,\n',
    );
    const as = ['--format', 'csv', '--map', 'started_at=when', '--json'];
    const { stdout } = await run(['import', table, ...as, ...database]);
    assert.deepEqual(foundIn(stdout).not_kept, {
      memory: { 'column mood': 1, 'column summary': 1 },
    });
  });

  it('is that of a watch, too', async (t) => {
    const { folder, database } = await createAna(t);
    const watch = ['watch', folder, '--account', 'ana', '--once', '--settle', '0s'];
    const { stdout } = await run([...watch, '--json', ...database]);
    assert.deepEqual(foundIn(stdout), FOUND);
  });

  it('names no more than a dozen properties, and says how many others there are', async (t) => {
    const { folder, database } = await createAna(t);
    const more = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`extra${i + 10}`, 1]));
    writeFileSync(join(folder, 'omi.json'), JSON.stringify([{ ...CONVERSATIONS[2], ...more }]));
    const { stdout } = await run(['import', folder, ...database]);
    assert.match(
      stdout,
      /^Not kept of omi: extra10 \(1\), .*extra21 \(1\) and 8 others, which --json lists\.$/m,
    );
  });
});
