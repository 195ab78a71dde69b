// Asks the questions of a recall set, and counts how many of the lines with the answers come back.

import type { Api } from '../../src/contract/api.ts';
import type { Passage } from '../../src/contract/schemas/passages.ts';
import type { RecallSet } from './recall-set.ts';

/** Budgets in characters of passages. */
export const BUDGETS = [2000, 4000, 8000, 16_000] as const;
/** Ranks within which the right memory counts. */
export const RANKS = [1, 5, 10] as const;

/** The figures of a run. Shares are in percent, in the order of `BUDGETS` and `RANKS`. */
export interface Figures {
  readonly questions: number;
  /** How often the right memory is among the first. */
  readonly memory: readonly number[];
  /** The share of the lines with the answer within each budget. */
  readonly gold: readonly number[];
  /** The same if the search is within the right memory. */
  readonly goldWithin: readonly number[];
  /** Milliseconds of a question: median and 95th percentile. */
  readonly medianMs: number;
  readonly p95Ms: number;
}

type Gold = RecallSet['questions'][number]['gold'];

/** Asks all questions, one after another. */
export async function measure(api: Api, { questions }: RecallSet): Promise<Figures> {
  const gold = BUDGETS.map(() => 0);
  const within = BUDGETS.map(() => 0);
  const memory = RANKS.map(() => 0);
  const times: number[] = [];
  for (const question of questions) {
    const started = performance.now();
    const { passages } = await api.search({ q: question.q, limit: 100 });
    times.push(performance.now() - started);
    add(gold, sharesOf(passages, question.gold));
    const order = [...new Set(passages.map(({ memory_id }) => memory_id))];
    const ranks = question.gold.map(([id]) => order.indexOf(id)).filter((rank) => rank >= 0);
    RANKS.forEach((rank, i) => {
      if (ranks.some((each) => each < rank)) memory[i] = (memory[i] ?? 0) + 1;
    });
    const memory_id = question.gold[0]?.[0] ?? '';
    const one = await api.search({ q: question.q, limit: 100, memory_id });
    add(within, sharesOf(one.passages, question.gold));
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const percent = (sum: number) => Math.round((1000 * sum) / questions.length) / 10;
  return {
    questions: questions.length,
    memory: memory.map(percent),
    gold: gold.map(percent),
    goldWithin: within.map(percent),
    medianMs: Math.round(at(0.5)),
    p95Ms: Math.round(at(0.95)),
  };
}

function add(sums: number[], shares: readonly number[]): void {
  shares.forEach((share, i) => (sums[i] = (sums[i] ?? 0) + share));
}

/** Returns the share of the wanted lines within the first characters, for each budget. */
function sharesOf(passages: readonly Passage[], gold: Gold): number[] {
  const wanted = new Set(
    gold.flatMap(([id, first, last]) =>
      Array.from({ length: last - first + 1 }, (_, i) => `${id} ${first + i}`),
    ),
  );
  const seen = new Set<string>();
  const shares = BUDGETS.map(() => 0);
  let used = 0;
  for (const { memory_id, lines, text } of passages) {
    used += text.length + 1;
    const [first = 1, last = 0] = lines;
    for (let line = first; line <= last; line++)
      if (wanted.has(`${memory_id} ${line}`)) seen.add(`${memory_id} ${line}`);
    BUDGETS.forEach((budget, i) => {
      if (used <= budget) shares[i] = seen.size / wanted.size;
    });
  }
  return shares;
}
