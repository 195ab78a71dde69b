// The load of a soak test: concurrent clients with different requests, until the time is up.

import { pick, type Dice } from '../fuzz/random.ts';
import * as others from './changing-requests.ts';
import type { Material, Question } from './checked-request.ts';
import { ask, type Manner } from './client.ts';
import * as steady from './constant-requests.ts';

/** The counters of a load. */
export interface Counts {
  requests: number;
  connections: number;
  /** Number of requests by kind. */
  readonly kinds: Record<string, number>;
  /** Number of connections by kind of client. */
  readonly manners: Record<string, number>;
  /** The first few wrong responses, and their total number. */
  readonly wrong: string[];
  wrongs: number;
}

/** The settings of a load. */
export interface LoadOptions {
  readonly material: Material;
  readonly port: number;
  readonly counts: Counts;
  readonly isOver: () => boolean;
}

const CLIENTS = 8;
const SHOWN = 5;

/**
 * The weight of each kind of request. Its share is the weight divided by the sum of all weights.
 */
const QUESTIONS: readonly (readonly [number, (material: Material) => Question])[] = [
  [30, steady.one],
  [10, steady.head],
  [15, steady.page],
  [2, steady.stream],
  [10, steady.between],
  [8, steady.search],
  [8, steady.fields],
  [4, others.moving],
  [8, others.found],
  [10, others.perhaps],
  [8, others.feed],
  [10, others.shortLived],
  [6, others.wrongKey],
  [6, others.foreign],
  [6, others.refused],
  [4, others.open],
  [40, ({ later, ...material }) => later.shift() ?? steady.one({ ...material, later })],
];
const BAG = QUESTIONS.flatMap(([times, make]) => Array.from({ length: times }, () => make));

const MANNERS: readonly Manner[] = [
  ...Array.from({ length: 6 }, (): Manner => 'pipelined'),
  ...Array.from({ length: 6 }, (): Manner => 'in turn'),
  'in pieces',
  'slow',
  'gone',
];

const CODINGS = ['gzip', 'br', 'zstd', 'identity', '*', 'gzip;q=0.5, br'];

/** Creates the counters. */
export function createCounts(): Counts {
  return { requests: 0, connections: 0, kinds: {}, manners: {}, wrong: [], wrongs: 0 };
}

/** Runs the clients until the time is up. */
export async function load(options: LoadOptions): Promise<void> {
  await Promise.all(Array.from({ length: CLIENTS }, () => client(options)));
}

async function client({ material, port, counts, isOver }: LoadOptions): Promise<void> {
  const { dice, scene } = material;
  const canaries = [...scene.steady, scene.moving].map(({ canary }) => canary);
  while (!isOver()) {
    const questions = Array.from({ length: 1 + dice(20) }, () =>
      coded(pick(dice, BAG)(material), dice),
    );
    const manner = pick(dice, MANNERS);
    const { kinds, wrong } = await ask(questions, { port, manner, canaries });
    counts.connections++;
    counts.requests += kinds.length;
    counts.manners[manner] = (counts.manners[manner] ?? 0) + 1;
    for (const kind of kinds) counts.kinds[kind] = (counts.kinds[kind] ?? 0) + 1;
    if (wrong === undefined) continue;
    counts.wrongs++;
    if (counts.wrong.length < SHOWN) counts.wrong.push(`${manner}: ${wrong}`);
  }
}

/**
 * Every third request asks for a compressed response. A request with If-None-Match does not,
 * because its etag is that of the uncompressed body.
 */
function coded(question: Question, dice: Dice): Question {
  if (dice(3) > 0 || question.headers || question.method) return question;
  return { ...question, headers: { 'accept-encoding': pick(dice, CODINGS) } };
}
