// Products that count from the start of a recording: offsets of any size and missing speakers do no harm.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { readWhole } from '../support/formats/read-file.ts';

/** An item of each product with one piece of text, from `start` to `end` in its own unit. */
const ITEMS: Record<string, (start: unknown, end: unknown) => object> = {
  'otter-api': (start_offset, end_offset) => ({
    otid: 'a',
    title: null,
    created_at: 1_795_082_400,
    transcripts: [{ transcript: 'Milk.', start_offset, end_offset, speaker_id: null }],
  }),
  'plaud-api': (start_time, end_time) => ({
    file_id: 'a',
    file_name: null,
    start_time: 1_795_082_400_000,
    trans_result: [{ content: 'Milk.', start_time, end_time, speaker: null }],
  }),
  scriberr: (start, end) => ({
    id: 'a',
    audio_path: 'a.mp3',
    diarization: false,
    created_at: '2026-11-19T10:00:00Z',
    transcript: JSON.stringify({ segments: [{ start, end, text: 'Milk.' }] }),
  }),
};

const read = async (item: object) => {
  const [outcome] = await readWhole({ name: 'a.json' }, [JSON.stringify(item)]);
  return outcome;
};

describe('A product that counts from the start of a recording', () => {
  for (const [format, item] of Object.entries(ITEMS)) {
    it(`may have negative offsets, or none: ${format}`, async () => {
      for (const [start, end] of [
        [-16_000, -1],
        [null, null],
        [undefined, undefined],
      ]) {
        const outcome = await read(item(start, end));
        assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
        const { duration_seconds, transcript } = outcome.memory;
        assert.deepEqual([outcome.format, duration_seconds, transcript], [format, 0, 'Milk.']);
      }
    });

    it(`may not have offsets that no recording has: ${format}`, async () => {
      for (const end of [1e300, 'soon', {}]) {
        const outcome = await read(item(0, end));
        assert.ok(outcome && 'reason' in outcome, JSON.stringify(outcome));
      }
    });
  }

  it('is not confused by two items with one id', async () => {
    const twice = ITEMS['plaud-api']?.(0, 1000);
    const outcomes = await readWhole({ name: 'a.json' }, [JSON.stringify([twice, twice])]);
    assert.deepEqual(
      outcomes.map((each) => 'memory' in each && each.memory.id),
      ['a', 'a'],
    );
  });
});
