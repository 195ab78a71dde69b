// Parts of memories wait for each other in bounded memory, and their order does not matter.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import type { JoinRule } from '../../src/formats/format.ts';
import { createJoiner, type JoinLimits } from '../../src/formats/join.ts';
import { asTranscript } from '../../src/formats/turns/turns.ts';
import { readWhole } from '../support/formats/read-file.ts';
import { cases, sized } from '../support/world/thorough.ts';

const rule: JoinRule = {
  format: 'test',
  join: (id, { head, body }) => {
    if (!head || !body) return { reason: `${id} lacks a part` };
    return { id, started_at: 0, transcript: asTranscript(JSON.stringify([head, body])) };
  },
};

interface Added {
  readonly id: string;
  readonly role: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const READING = { items: [], texts: [], local: () => 0 };

async function joinAll(parts: readonly Added[], limits?: JoinLimits) {
  const texts: string[] = [];
  const joiner = createJoiner<Added>(
    { put: (text) => texts.push(text) - 1, get: (number) => texts[number] as string },
    limits,
  );
  const refused: string[] = [];
  for (const part of parts) {
    const reason = await joiner.add({ parts: [part], rule }, part);
    if (reason !== undefined) refused.push(reason);
  }
  const outcomes: string[] = [];
  for await (const { at: _, ...outcome } of joiner.join(READING))
    outcomes.push(JSON.stringify(outcome));
  return { outcomes, refused };
}

const part = (id: string, role: string, text = 'x'): Added => ({ id, role, value: { text } });

describe('Parts of memories', () => {
  it('become the same memories in any order', async () => {
    const parts = fc.array(
      fc.record({
        id: fc.constantFrom('a', 'b', 'c'),
        role: fc.constantFrom('head', 'body'),
        value: fc.record({ text: fc.string({ maxLength: 3 }) }),
      }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(
        parts.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        async ([list, shuffled]) => {
          const [one, other] = [await joinAll(list), await joinAll(shuffled)];
          assert.deepEqual(other.outcomes.toSorted(), one.outcomes.toSorted());
        },
      ),
      { numRuns: cases(3000) },
    );
  });

  it('count once if they are twice in an import', async () => {
    const list = [part('a', 'head'), part('a', 'body'), part('a', 'head'), part('a', 'body')];
    const { outcomes } = await joinAll(list);
    assert.equal(outcomes.length, 1);
  });

  it('are taken in their longest version, and the shorter one is skipped', async () => {
    const list = [part('a', 'head', 'short'), part('a', 'body'), part('a', 'head', 'longer')];
    for (const each of [list, list.toReversed()]) {
      const { outcomes } = await joinAll(each);
      assert.equal(outcomes.length, 2);
      assert.match(outcomes.join('\n'), /"skipped":"another version.*\n.*longer/s);
    }
  });

  it('are refused beyond a number and a size, and those that wait are joined', async () => {
    const list = [part('a', 'head'), part('a', 'body'), part('b', 'head', 'y'.repeat(100))];
    const few = await joinAll(list, { parts: 2, characters: 1000 });
    const small = await joinAll(list, { parts: 9, characters: 50 });
    for (const { outcomes, refused } of [few, small]) {
      assert.equal(outcomes.length, 1);
      assert.match(String(refused), /^too many parts of memories wait for others; import fewer/);
    }
  });

  it('are held in the store, and not in memory', async () => {
    const count = cases(sized(100_000, 20_000), 5000);
    const joiner = createJoiner<number>({ put: () => 0, get: () => '{"text":"x"}' });
    for (let i = 0; i < count; i++)
      await joiner.add({ parts: [part(`id-${i >> 1}`, i % 2 ? 'head' : 'body')], rule }, i);
    let memories = 0;
    for await (const outcome of joiner.join(READING)) if ('memory' in outcome) memories++;
    assert.equal(memories, count / 2);
  });

  it('can have ids of any characters, which are short in reasons', async () => {
    const id = `__proto__\n\u0000${'x'.repeat(1000)}`;
    const transcript = { id: 't', meetingId: id, data: [{ speaker: 'Mira', text: 'Milk.' }] };
    const [alone] = await readWhole({ name: 'a.json' }, [JSON.stringify(transcript)]);
    assert.ok(alone && 'reason' in alone && alone.reason.length < 160, JSON.stringify(alone));
    const meeting = { id, happenedAt: '2026-11-18T10:00:00Z' };
    const [joined] = await readWhole({ name: 'a.json' }, [JSON.stringify([transcript, meeting])]);
    assert.ok(joined && 'memory' in joined, JSON.stringify(joined));
  });

  it('are rejected if the id is missing', async () => {
    for (const id of [null, '', ' ']) {
      const transcript = { id: 't', meetingId: id, data: [{ speaker: 'Mira', text: 'Milk.' }] };
      const [outcome] = await readWhole({ name: 'a.json' }, [JSON.stringify(transcript)]);
      assert.match(outcome && 'reason' in outcome ? outcome.reason : '', /is empty/);
    }
  });
});

/** The parts of a memory of each product, with one piece of text for each number. */
const PRODUCTS: Record<string, (numbers: readonly number[], last: unknown) => readonly unknown[]> =
  {
    tldv: (numbers) => [
      { id: 'm', happenedAt: '2026-11-18T10:00:00Z' },
      {
        id: 't',
        meetingId: 'm',
        data: numbers.map((i) => ({ speaker: NAMES[i % 2], text: `${i}.` })),
      },
    ],
    gong: (numbers, last) => [
      {
        metaData: { id: 'm', started: '2026-11-18T10:00:00Z' },
        parties: NAMES.map((name, i) => ({ speakerId: i, name })),
      },
      {
        callId: 'm',
        transcript: numbers.map((i) => ({
          speakerId: i % 2,
          sentences: [{ start: i * 1000, end: last, text: `${i}.` }],
        })),
      },
    ],
    meetily: (numbers, last) => [
      { meeting_name: 'm', transcript_file: 't', created_at: '2026-11-18T10:00:00Z' },
      {
        total_segments: numbers.length,
        segments: numbers.map((i) => ({
          text: `${i}.`,
          audio_start_time: i,
          audio_end_time: last,
          speaker: NAMES[i % 2],
        })),
      },
    ],
    hyprnote: (numbers, last) => [
      { id: 'm', user_id: 'u', created_at: '2026-11-18T10:00:00Z', participants: [] },
      {
        transcripts: [
          {
            session_id: 'm',
            started_at: 1_795_000_000_000,
            words: numbers.map((i) => ({
              text: `${i}.`,
              start_ms: i,
              end_ms: last,
              speaker: NAMES[i % 2],
            })),
          },
        ],
      },
    ],
  };
const NAMES = ['Ana', 'Ben'];
const FILE = { name: 'meeting/a.json' };

describe('A memory of several parts', () => {
  for (const [format, partsOf] of Object.entries(PRODUCTS)) {
    it(`can be long: ${format}`, async () => {
      const count = cases(sized(100_000, 20_000), 5000);
      const parts = partsOf(
        Array.from({ length: count }, (_, i) => i),
        1,
      );
      const [outcome] = await readWhole(FILE, [JSON.stringify(parts)]);
      assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
      const lines = outcome.memory.transcript.split('\n');
      assert.deepEqual(
        [outcome.format, lines.length, lines[0], lines.at(-1)],
        [format, count, 'Ana: 0.', `Ben: ${count - 1}.`],
      );
    });

    it(`may have negative offsets, and none that no recording has: ${format}`, async () => {
      for (const last of [-1e9, null]) {
        const [outcome] = await readWhole(FILE, [JSON.stringify(partsOf([0], last))]);
        assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
        assert.equal(outcome.memory.duration_seconds, 0);
      }
      if (format === 'tldv') return; // no offset of it is read
      for (const last of [1e300, 'soon', {}]) {
        const outcomes = await readWhole(FILE, [JSON.stringify(partsOf([0], last))]);
        assert.ok(
          outcomes.some((each) => 'reason' in each),
          JSON.stringify(outcomes),
        );
        assert.ok(!outcomes.some((each) => 'memory' in each), JSON.stringify(outcomes));
      }
    });
  }
});
