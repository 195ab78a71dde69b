// Pools the memories of a recall set with generated talk, so that the right ones must be found among many.

import { readFixtures } from '../../src/cli/commands/database/seed.ts';
import type { NewMemory } from '../../src/store/import/memory-row.ts';
import { wordsOf } from '../../src/text/tokenizer.ts';
import { createDice, pick, type Dice } from '../generate.ts';
import type { RecallSet } from './recall-set.ts';

/** Five years, with the set in the middle: of equal candidates the newest come first. */
const SPAN_MS = 5 * 365 * 86_400_000;
/** A word is common if more than this share of the memories has it. */
const COMMON = 0.25;
/** How many memories each generated one takes topics from, and of how many of their topics it takes one. */
const MIXED = 3;
/** One of so many topics is an invented word: of 136 scenes, a fifth of the topics are in no other episode. */
const NEW = 5;
/** One of so many words in a row is a topic, so that no answer is repeated. */
const REPLACED = 5;
/** How many words a topic has at most, as "it's" has two. */
const LONGEST = 2;
const MAX_LINES = 65;
const MAX_WORDS = 40;

/**
 * Adds generated memories to a set and the fixtures until there are `count`. They are as long as these, up to a
 * limit, and their lines are lines of all of them with other topics: words that few memories have. So they
 * have the words of the questions about as often as the set, but not the answers. Topics stand in no natural order,
 * so the pool says nothing about the order of words. The same seed gives the same memories.
 */
export function pool({ memories, questions }: RecallSet, count: number, seed: number): RecallSet {
  const fixtures = readFixtures().flatMap((account) => [...account.memories]);
  // Two accounts of the fixtures have a memory of one id.
  const byId = new Map([...fixtures, ...memories].map((memory) => [memory.id, memory]));
  const all = [...byId.values()];
  const starts = memories.map(({ started_at }) => Date.parse(started_at));
  const end = (Math.min(...starts) + Math.max(...starts) + SPAN_MS) / 2;
  const dice = createDice(seed);
  const talks = toTalks(all);
  while (all.length < count) all.push(generateOne(dice, { talks, end, number: all.length }));
  return { memories: all, questions };
}

/** A word as it was written, or a topic in its place. */
type Part = string | undefined;

/** A memory that others are made of: who speaks, its lines, and the words that only some memories have. */
interface Talk {
  readonly labels: readonly string[];
  readonly lines: readonly (readonly Part[])[];
  readonly topics: readonly string[];
}

function toTalks(memories: readonly NewMemory[]): Talk[] {
  const read = memories.map(({ transcript }) =>
    transcript.split('\n').flatMap((line) => {
      const [, label = '', text = ''] = /^([^:]{1,40}: )?(.*)$/.exec(line) ?? [];
      const words = text.split(' ').filter((word) => word !== '');
      return words.length === 0 ? [] : [{ label, words: words.slice(0, MAX_WORDS) }];
    }),
  );
  const found = new Map<string, number>();
  for (const lines of read)
    for (const word of new Set(lines.flatMap(({ words }) => words.flatMap(wordsOf))))
      found.set(word, (found.get(word) ?? 0) + 1);
  const isCommon = (text: string) =>
    wordsOf(text).every((word) => (found.get(word) ?? 0) > COMMON * memories.length);
  // What has more words is a sentence of a script without spaces, or its like.
  const isTopic = (text: string) => !isCommon(text) && wordsOf(text).length <= LONGEST;
  return read.flatMap((lines) =>
    lines.length === 0
      ? []
      : {
          labels: lines.map(({ label }) => label),
          lines: lines.map(({ words }) =>
            words.map((word, i) => (isCommon(word) && (i + 1) % REPLACED > 0 ? word : undefined)),
          ),
          topics: [...new Set(lines.flatMap(({ words }) => words.filter(isTopic)))],
        },
  );
}

interface Generating {
  readonly talks: readonly Talk[];
  readonly end: number;
  readonly number: number;
}

function generateOne(dice: Dice, { talks, end, number }: Generating): NewMemory {
  const { labels, lines } = pick(dice, talks);
  const topics = Array.from({ length: MIXED }, () => pick(dice, talks).topics)
    .flat()
    .filter(() => dice(MIXED) === 0)
    .map((topic) => (dice(NEW) === 0 ? inventWord(dice) : topic));
  const say = () =>
    pick(dice, pick(dice, talks).lines)
      .map((word) => word ?? (topics.length === 0 ? inventWord(dice) : pick(dice, topics)))
      .join(' ');
  const started_at = new Date(end - 1000 * dice(SPAN_MS / 1000)).toISOString();
  return {
    id: `generated-${String(number).padStart(6, '0')}`,
    name: say().slice(0, 60),
    started_at,
    ended_at: started_at,
    is_processing: false,
    user_id: '',
    duration_seconds: 0,
    summary: { quick_summary: say(), key_takeaways: [] },
    transcript: lines
      .slice(0, MAX_LINES)
      .map(() => pick(dice, labels) + say())
      .join('\n'),
  };
}

const SYLLABLES = ['ba', 'dor', 'ek', 'fi', 'gul', 'ham', 'iri', 'jo', 'kel', 'lu', 'mar', 'nos'];

function inventWord(dice: Dice): string {
  return Array.from({ length: 2 + dice(3) }, () => pick(dice, SYLLABLES)).join('');
}
