// Generates memories from a number: the same number gives the same memories.

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { v7 as uuid } from 'uuid';

import type { SeedAccount } from '../src/cli/commands/database/seed.ts';
import type { NewMemory } from '../src/store/import/memory-row.ts';

export interface Amounts {
  readonly accounts: number;
  /** Memories in each account. */
  readonly memories: number;
  /** The approximate size of a memory in bytes of JSON. */
  readonly size: number;
  readonly random: number;
  /** The longest time from the first memory to the end of October 2026. Default: ten years. */
  readonly spanMs?: number;
}

/** Returns a number from 0 to below `sides`. */
export type Dice = (sides: number) => number;

const FIRST = [
  'Amina',
  'Bruno',
  'Chiara',
  'Dmitri',
  'Eun-ji',
  'Farida',
  'Göran',
  'Hana',
  'Ismail',
  'Jelena',
];
const LAST = [
  'Abdi',
  'Bergström',
  'Costa',
  'Dlamini',
  'Eriksen',
  'Fujita',
  'Guzmán',
  'Horvat',
  'Iyer',
  'Jansen',
];
const TOPICS = [
  'Budget review',
  'Walk by the river',
  'Kitchen plans',
  'Weekly sync',
  'Physio',
  'Reading group',
  'Phone call',
  'Site visit',
  'School run',
  'Field notes',
];
const LINES = [
  'I moved the meeting to Thursday because the room was double-booked.',
  'Could you send me the numbers again, the second column looks off by one month.',
  'We said “quick”, and it took three weeks – as always.',
  'The boiler made that noise again last night, twice, around four.',
  'Fine by me, as long as somebody writes it down this time.',
  'She wants to keep the old sign and repaint it. I think she is right.',
  'Let us not decide that today; half of the people it concerns are missing.',
  'I counted forty-one boxes, and the list says forty-three.',
  'Tell him the café closes at six now, café and bakery both.',
  'If it rains we go to the museum, if not we take the ferry.',
  'The test passed on my machine, which proves nothing, I know.',
  'He laughed and said "try it yourself, then" and walked off.',
];

const TEN_YEARS_MS = 10 * 365 * 86_400_000;
const END = Date.UTC(2026, 10, 1);

/**
 * Generates accounts with memories at most three hours apart, or closer if their time is too short. Every
 * fiftieth memory starts together with the one before.
 */
export function generate(amounts: Amounts): SeedAccount[] {
  return Array.from({ length: amounts.accounts }, (_, i) => {
    const dice = createDice(amounts.random + i * 7919);
    const name = `${pick(dice, FIRST)} ${pick(dice, LAST)}`;
    const id = uuid({ msecs: END, random: bytes(dice) });
    return { id, name, count: amounts.memories, memories: generateMemories(dice, id, amounts) };
  });
}

function* generateMemories(
  dice: Dice,
  user_id: string,
  { memories, size, spanMs = TEN_YEARS_MS }: Amounts,
): Generator<NewMemory> {
  const gap = Math.min(3 * 3_600_000, Math.floor(spanMs / memories));
  let start = END - gap * memories;
  for (let i = 0; i < memories; i++) {
    if (i % 50 !== 49) start += 1 + dice(gap);
    const duration_seconds = 60 + dice(5400);
    yield {
      id: uuid({ msecs: start, random: bytes(dice) }),
      name: `${pick(dice, TOPICS)} with ${pick(dice, FIRST)}`,
      started_at: new Date(start).toISOString(),
      ended_at: new Date(start + duration_seconds * 1000).toISOString(),
      is_processing: false,
      user_id,
      duration_seconds,
      summary: {
        quick_summary: `${pick(dice, LINES)} ${pick(dice, LINES)}`,
        key_takeaways: Array.from({ length: dice(4) }, () => pick(dice, LINES)),
      },
      transcript: transcript(dice, size),
    };
  }
}

function transcript(dice: Dice, size: number): string {
  const speakers = [pick(dice, FIRST), pick(dice, FIRST)];
  const lines: string[] = [];
  const FIELDS = 700; // the other fields and the punctuation
  for (let length = FIELDS; length < size || lines.length === 0;) {
    const line = `${speakers[lines.length % 2]}: ${pick(dice, LINES)}`;
    lines.push(line);
    length += line.length + 2;
  }
  return lines.join('\n');
}

/** Creates dice that roll the same for the same seed. */
export function createDice(seed: number): Dice {
  const generator = xoroshiro128plus(seed);
  return (sides) => uniformInt(generator, 0, sides - 1);
}

function bytes(dice: Dice): Uint8Array {
  return Uint8Array.from({ length: 16 }, () => dice(256));
}

/** Picks an item of a list that is not empty. */
export function pick<T>(dice: Dice, list: readonly T[]): T {
  return list[dice(list.length)] as T;
}
