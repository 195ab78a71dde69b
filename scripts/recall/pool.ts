// Pools the memories of a recall set with generated talk, so that the right ones must be found among many.

import { readFixtures } from '../../src/cli/commands/database/seed.ts';
import type { NewMemory } from '../../src/store/import/memory-row.ts';
import { createDice, pick, type Dice } from '../generate.ts';
import type { RecallSet } from './recall-set.ts';

/** Five years: the pool ends with the newest memory of the set. */
const SPAN_MS = 5 * 365 * 86_400_000;
/** How many memories each generated one takes its words from. */
const MIXED = 3;
const MIN_LINES = 5;
const MORE_LINES = 60;
const MAX_WORDS = 40;
/** One of so many words is replaced by an invented one, so that the vocabulary grows as that of people does. */
const INVENTED = 25;

/**
 * Adds generated memories to a set and the fixtures until there are `count`. Their lines repeat which words
 * follow each other in a few of these memories, so they have the words of the questions, but not the answers.
 * The same seed gives the same memories.
 */
export function pool({ memories, questions }: RecallSet, count: number, seed: number): RecallSet {
  const fixtures = readFixtures().flatMap((account) => [...account.memories]);
  // Two accounts of the fixtures have a memory of one id.
  const byId = new Map([...fixtures, ...memories].map((memory) => [memory.id, memory]));
  const all = [...byId.values()];
  const voices = all.flatMap((memory) => toVoice(memory));
  const end = Math.max(...memories.map(({ started_at }) => Date.parse(started_at)));
  const dice = createDice(seed);
  while (all.length < count) all.push(generateOne(dice, { voices, end, number: all.length }));
  return { memories: all, questions };
}

/** What one memory teaches: how its lines begin, and which words follow each word. */
interface Voice {
  readonly begins: readonly (readonly [label: string, word: string])[];
  readonly next: ReadonlyMap<string, readonly string[]>;
}

/** Follows the last word of a line. */
const END = '';

function toVoice({ transcript }: NewMemory): Voice[] {
  const begins: [string, string][] = [];
  const next = new Map<string, string[]>();
  for (const line of transcript.split('\n')) {
    const [, label = '', text = ''] = /^([^:]{1,40}: )?(.*)$/.exec(line) ?? [];
    const words = text.split(' ').filter((word) => word !== '');
    const [first] = words;
    if (first === undefined) continue;
    begins.push([label, first]);
    for (const [i, word] of words.entries()) {
      const following = words[i + 1] ?? END;
      const known = next.get(word);
      if (known === undefined) next.set(word, [following]);
      else known.push(following);
    }
  }
  return begins.length === 0 ? [] : [{ begins, next }];
}

interface Generating {
  readonly voices: readonly Voice[];
  readonly end: number;
  readonly number: number;
}

function generateOne(dice: Dice, { voices, end, number }: Generating): NewMemory {
  const mixed = Array.from({ length: MIXED }, () => pick(dice, voices));
  const line = () => sayLine(dice, pick(dice, mixed));
  const started_at = new Date(end - 1000 * dice(SPAN_MS / 1000)).toISOString();
  const count = MIN_LINES + dice(MORE_LINES);
  return {
    id: `generated-${String(number).padStart(6, '0')}`,
    name: sayLine(dice, pick(dice, mixed)).slice(0, 60),
    started_at,
    ended_at: started_at,
    is_processing: false,
    user_id: '',
    duration_seconds: 0,
    summary: { quick_summary: line(), key_takeaways: [] },
    transcript: Array.from({ length: count }, line).join('\n'),
  };
}

function sayLine(dice: Dice, { begins, next }: Voice): string {
  const [label, first] = pick(dice, begins);
  const words: string[] = [];
  for (let word = first; word !== END && words.length < MAX_WORDS;) {
    words.push(dice(INVENTED) === 0 ? inventWord(dice) : word);
    word = pick(dice, next.get(word) ?? [END]);
  }
  return label + words.join(' ');
}

const SYLLABLES = ['ba', 'dor', 'ek', 'fi', 'gul', 'ham', 'iri', 'jo', 'kel', 'lu', 'mar', 'nos'];

function inventWord(dice: Dice): string {
  return Array.from({ length: 2 + dice(3) }, () => pick(dice, SYLLABLES)).join('');
}
