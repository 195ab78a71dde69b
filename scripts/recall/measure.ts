// Asks the questions of a recall set, and counts how many of the lines with the answers come back.

import type { Api } from '../../src/contract/api.ts';
import type { Passage } from '../../src/contract/schemas/passages.ts';
import { goldLines, type Gold, type RecallSet } from './recall-set.ts';

/** Budgets in characters of passages. */
export const BUDGETS = [2000, 4000, 8000, 16_000] as const;
/** Ranks within which the right memory counts. */
export const RANKS = [1, 5, 10] as const;
/** The rank within which all memories with a part of the answer count. */
export const ALL_WITHIN = 5;

/** The shares of some questions, in percent, in the order of `BUDGETS` and `RANKS`. */
export interface Shares {
  readonly questions: number;
  /** How often a memory with the answer is among the first. */
  readonly memory: readonly number[];
  /** How often all memories with the answer are among the first five. */
  readonly allMemories: number;
  /** The share of the lines with the answer within each budget. */
  readonly gold: readonly number[];
  /** The same for the lines of one memory, if the search is within it. */
  readonly goldWithin: readonly number[];
}

/** The figures of a run. */
export interface Figures extends Shares {
  /** Milliseconds of a question: median and 95th percentile. */
  readonly medianMs: number;
  readonly p95Ms: number;
  /** The shares of each category of questions, if the set has any. */
  readonly categories?: Readonly<Record<string, Shares>>;
}

/** The shares of one question, from 0 to 1. */
interface Answered extends Omit<Shares, 'questions'> {
  readonly category: string | undefined;
}

/** Asks all questions, one after another. */
export async function measure(api: Api, { questions }: RecallSet): Promise<Figures> {
  const answered: Answered[] = [];
  const times: number[] = [];
  for (const { q, gold, category } of questions) {
    const started = performance.now();
    const { passages } = await api.search({ q, limit: 100 });
    times.push(performance.now() - started);
    const memory_id = gold[0]?.[0] ?? '';
    const own = gold.filter(([id]) => id === memory_id);
    const one = await api.search({ q, limit: 100, memory_id });
    const ranks = ranksOf(passages, gold);
    answered.push({
      category,
      memory: RANKS.map((rank) => Number(ranks.some((each) => each < rank))),
      allMemories: Number(ranks.every((each) => each < ALL_WITHIN)),
      gold: sharesOf(passages, gold),
      goldWithin: sharesOf(one.passages, own),
    });
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const categories = Map.groupBy(answered, ({ category }) => category);
  return {
    ...average(answered),
    medianMs: Math.round(at(0.5)),
    p95Ms: Math.round(at(0.95)),
    ...(categories.size > 1 && {
      categories: Object.fromEntries(
        Array.from(categories, ([name, some]) => [name ?? 'other', average(some)]),
      ),
    }),
  };
}

function average(answered: readonly Answered[]): Shares {
  const percent = (shareOf: (one: Answered) => number | undefined) => {
    const sum = answered.reduce((all, one) => all + (shareOf(one) ?? 0), 0);
    return Math.round((1000 * sum) / answered.length) / 10;
  };
  return {
    questions: answered.length,
    memory: RANKS.map((_, i) => percent(({ memory }) => memory[i])),
    allMemories: percent(({ allMemories }) => allMemories),
    gold: BUDGETS.map((_, i) => percent(({ gold }) => gold[i])),
    goldWithin: BUDGETS.map((_, i) => percent(({ goldWithin }) => goldWithin[i])),
  };
}

/** Returns the rank of each memory with a part of the answer, from 0. Infinity: it is not there. */
function ranksOf(passages: readonly Passage[], gold: Gold): number[] {
  const order = [...new Set(passages.map(({ memory_id }) => memory_id))];
  return [...new Set(gold.map(([id]) => id))].map((id) => {
    const rank = order.indexOf(id);
    return rank < 0 ? Infinity : rank;
  });
}

/** Returns the share of the wanted lines that end within the first characters, for each budget. */
function sharesOf(passages: readonly Passage[], gold: Gold): number[] {
  const wanted = goldLines(gold);
  /** Where each wanted line ends, in characters. */
  const ends = new Map<string, number>();
  let used = 0;
  for (const { memory_id, lines: [first = 1, last = 0] = [], text } of passages) {
    const texts = first > last ? [] : text.split('\n');
    let end = used;
    for (const [i, line] of texts.entries()) {
      end += line.length + 1;
      const name = `${memory_id} ${first + i}`;
      if (wanted.has(name) && !ends.has(name)) ends.set(name, end);
    }
    used += text.length + 1;
  }
  return BUDGETS.map(
    (budget) => ends.values().reduce((sum, end) => sum + Number(end <= budget), 0) / wanted.size,
  );
}
