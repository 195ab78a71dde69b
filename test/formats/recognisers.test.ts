// JSON of speech recognisers: its file gives the id and the start, and offsets of any size do no harm.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { readWhole } from '../support/formats/read-file.ts';
import { cases } from '../support/world/thorough.ts';

const START = '2026-11-18T10:00:00Z';
const SEGMENTS = cases(100_000);

/** A result of each recogniser with one piece of text, from `start` to `end` in its own unit. */
const RESULTS: Record<string, (start: unknown, end: unknown, more?: object) => object> = {
  whisper: (start, end, more) => ({
    text: 'Milk.',
    segments: [{ start, end, text: 'Milk.', ...more }],
  }),
  'whisper-cpp': (from, to, more) => ({
    transcription: [{ offsets: { from, to }, text: 'Milk.', ...more }],
  }),
  assemblyai: (start, end, more) => ({
    audio_duration: null,
    utterances: [{ start, end, text: 'Milk.', ...more }],
  }),
  deepgram: (start, end, more) => ({
    metadata: {},
    results: { channels: [], utterances: [{ start, end, transcript: 'Milk.', ...more }] },
  }),
  'aws-transcribe': (start_time, end_time, more) => ({
    jobName: 'a',
    results: {
      transcripts: [{ transcript: 'Milk.' }],
      items: [{ start_time, end_time, alternatives: [{ content: 'Milk.' }], ...more }],
    },
  }),
};

const read = (value: unknown, format?: string) =>
  readWhole({ name: 'team/call.mp3.json', started_at: START }, [JSON.stringify(value)], format);

describe('A result of a speech recogniser', () => {
  for (const [format, result] of Object.entries(RESULTS)) {
    it(`takes its id, name and start from the file: ${format}`, async () => {
      const [outcome] = await read(result(0, 2));
      assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
      const { id, name, started_at, transcript } = outcome.memory;
      assert.deepEqual(
        [outcome.format, id, name, started_at, transcript],
        [format, 'call.mp3.json', 'call.mp3', '2026-11-18T10:00:00.000Z', 'Milk.'],
      );
    });

    it(`is rejected from a pipe without --started-at: ${format}`, async () => {
      assert.deepEqual(await readWhole({ name: '' }, [JSON.stringify(result(0, 2))]), [
        { place: {}, reason: 'it has no start time; give --started-at' },
      ]);
    });

    it(`is read with negative offsets, without any, and without speakers: ${format}`, async () => {
      for (const [start, end] of [
        [-5, -2],
        [null, null],
        [undefined, undefined],
      ]) {
        const [outcome] = await read(result(start, end, { speaker: null }), format);
        assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
        assert.equal(outcome.memory.duration_seconds, 0);
        assert.equal(outcome.memory.transcript, 'Milk.');
      }
    });

    it(`is rejected with offsets that no recording has: ${format}`, async () => {
      for (const end of [1e300, 'soon', {}, []]) {
        const [outcome] = await read(result(0.5, end), format);
        assert.ok(
          outcome && 'reason' in outcome,
          `${JSON.stringify(end)}: ${JSON.stringify(outcome)}`,
        );
      }
    });
  }

  it('is rejected if another one has taken the name of the file', async () => {
    const results = Object.values(RESULTS).map((result) => result(0, 1));
    const [first, ...others] = await read(results);
    assert.ok(first && 'memory' in first);
    assert.equal(others.length, results.length - 1);
    for (const each of others)
      assert.match('reason' in each ? each.reason : '', /only the first one/);
  });

  it('leaves the file to the next one if it is rejected itself', async () => {
    const { whisper } = RESULTS;
    const [first, second] = await read([whisper?.(0, 1e300), whisper?.(0, 1)]);
    assert.ok(first && 'reason' in first);
    assert.ok(second && 'memory' in second, JSON.stringify(second));
  });

  it('can be long', async () => {
    const segments = Array.from({ length: SEGMENTS }, (_, i) => ({
      start: i,
      end: i + 1,
      text: ` Word ${i}.`,
      speaker: `SPEAKER_0${i % 2}`,
    }));
    const [outcome] = await read({ segments, language: 'en' });
    assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
    const lines = outcome.memory.transcript.split('\n');
    assert.deepEqual(
      [lines.length, lines.at(-1), outcome.memory.duration_seconds],
      [SEGMENTS, `SPEAKER_01: Word ${SEGMENTS - 1}.`, SEGMENTS],
    );
  });
});

describe('A table with tabs, as Whisper writes it', () => {
  const transcriptOf = async (rows: readonly string[]) => {
    const text = ['start\tend\ttext', ...rows, ''].join('\n');
    const [outcome, ...more] = await readWhole({ name: 'a.tsv', started_at: START }, [text]);
    assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
    assert.deepEqual(more, []);
    return outcome.memory.transcript;
  };

  it('keeps every quote, also one that no quote closes in its line', async () => {
    assert.equal(
      await transcriptOf([
        '0\t900\t"Go home," she said.',
        '900\t1800\tHe said "no".',
        '1800\t2700\t"I stay.',
        '2700\t3600\tAnd I wait."',
      ]),
      '"Go home," she said.\nHe said "no".\n"I stay.\nAnd I wait."',
    );
  });

  it('is read with quotes around its values if a spreadsheet has saved it', async () => {
    assert.equal(await transcriptOf(['0\t900\t"He said ""no""."']), 'He said "no".');
    assert.equal(
      await transcriptOf(['0\t900\t"It is\nlate."', '900\t1800\tYes.']),
      'It is late.\nYes.',
    );
  });
});
