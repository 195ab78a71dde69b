// What the tests of all sources need of a product's API: recordings, and responses made of them.

import type { TestContext } from 'node:test';

import type { Source } from '../../../src/sources/source.ts';
import { createProduct, type Answer, type FakeProduct, type Received } from './fake-product.ts';
import { SECRET } from './pulls.ts';

/** A recording that a product has. */
export interface Recording {
  readonly id: string;
  readonly title: string;
  readonly at: Date;
  readonly changed: Date;
  /** Whether its transcript is not there yet, so that a request for it is answered with 404. */
  readonly isPending?: boolean;
}

/** A product's API as documented. */
export interface ProductApi {
  readonly source: Source;
  /** How many recordings make several pages. Default: 5. */
  readonly count?: number;
  /** What a wrong credential gets. Default: 401. */
  readonly refusal?: Answer;
  /** Answers a request with at most `size` items. Recordings are newest first. */
  readonly answer: (request: Received, recordings: readonly Recording[], size: number) => Answer;
  /** How many items it has on a page, whatever it is asked for. Default: 2. */
  readonly size?: number;
  /** From which time on a request for a list wants items, in milliseconds since 1970. Missing: the API cannot say so. */
  readonly sinceOf?: (request: Received) => number;
  /** How much earlier than needed that is. */
  readonly marginMs?: number;
  /** Whether transcripts have requests of their own. */
  readonly hasDetails?: boolean;
}

/** What a product answers if there is no such thing. */
export const NOT_FOUND: Answer = { status: 404, body: { error: 'not found' } };

const HOUR_MS = 3_600_000;

/** Makes a recording. Recordings are six hours apart, from 2026-11-02 on, and change an hour after they begin. */
export function recording(n: number, change: Partial<Recording> = {}): Recording {
  const at = new Date(Date.parse('2026-11-02T09:00:00Z') + n * 6 * HOUR_MS);
  const changed = new Date(at.getTime() + HOUR_MS);
  return { id: `${n}`, title: `Walk ${n}`, at, changed, ...change };
}

/** Serves the recordings of an array until the test ends. The array may change. */
export async function serveApi(
  t: TestContext,
  {
    source,
    refusal = { status: 401, body: { error: 'unauthorized' } },
    answer,
    size = 2,
  }: ProductApi,
  recordings: readonly Recording[],
): Promise<FakeProduct> {
  const { credential } = source;
  const bearer = ['authorization', `Bearer ${SECRET}`] as const;
  const [name, value] = credential === undefined ? [] : (credential.header?.(SECRET) ?? bearer);
  return createProduct(t, (request) => {
    if (name !== undefined && request.headers[name] !== value) return refusal;
    return answer(
      request,
      recordings.toSorted((a, b) => b.at.getTime() - a.at.getTime()),
      size,
    );
  });
}

/** Returns the recordings of this time or later, by their start or another time. */
export function since(
  recordings: readonly Recording[],
  ms: number,
  time: 'at' | 'changed' = 'at',
): Recording[] {
  return recordings.filter((each) => each[time].getTime() >= ms);
}

/** Returns the recordings that begin at two times or between them. */
export function between(recordings: readonly Recording[], from: number, to: number): Recording[] {
  return since(recordings, from).filter(({ at }) => at.getTime() <= to);
}

/** Reads a time of a query in milliseconds since 1970; that of `otherwise` if it is missing. */
export function timeOfQuery({ query }: Received, name: string, otherwise = '1970-01-01'): number {
  return Date.parse(query.get(name) ?? otherwise);
}

/** Later than all recordings. */
export const NEVER = '9999-01-01';

/** Finds the recording of a path. */
export function find(
  recordings: readonly Recording[],
  { path }: Received,
  pattern: RegExp,
): Recording | undefined {
  const [, id] = pattern.exec(path) ?? [];
  return recordings.find((each) => each.id === id);
}

/** Cuts a list by an offset. */
export function cut(
  recordings: readonly Recording[],
  offset: string | null,
  size: number,
): Recording[] {
  const start = Number(offset ?? 0);
  return recordings.slice(start, start + size);
}
