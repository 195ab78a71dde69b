// The kinds of read requests, each with the response that the model expects.

import assert from 'node:assert/strict';

import type { Change } from '../../../src/contract/schemas/memory.ts';
import { changes, cut, list, placeOf, type Account, type ListQuery, type Place } from './model.ts';

/** The expected response. */
export interface Expected {
  readonly status: 200 | 404 | 410;
  /** The body of a 200. */
  readonly text: string;
  /** The request behind each expected link, given the link's target. */
  readonly links: Readonly<Record<string, (target: string) => Reading>>;
}

/** A request without its key. */
export interface Reading {
  readonly path: string;
  /**
   * Returns the response expected for an account. `text` is the actual body, because the model has
   * no clock.
   */
  readonly expect: (account: Account, text: string) => Expected;
  /** The same request with another page size, if it is a link. */
  readonly resized?: (limit: number) => Reading;
}

interface ListReading {
  readonly path: string;
  readonly query: ListQuery;
  readonly limit: number | undefined;
  readonly after?: Place | undefined;
  readonly isByCursor: boolean;
}

/** Requests a list, or a page of one. */
export function listReading(asked: ListReading): Reading {
  const { path, query, limit, after, isByCursor } = asked;
  return {
    path,
    resized: (size) => listReading({ ...asked, path: `${path}&limit=${size}`, limit: size }),
    expect(account) {
      const all = list(account, query, after);
      const page = all.slice(0, limit);
      const linked = (place?: Place) => (target: string) =>
        listReading({ path: target, query, limit, after: place, isByCursor: true });
      const last = page.at(-1);
      const next = last && page.length < all.length ? { next: linked(placeOf(last)) } : {};
      const first = isByCursor ? { first: linked() } : {};
      const text = JSON.stringify(page.map((memory) => cut(memory, query.fields)));
      return { status: 200, text, links: { ...next, ...first } };
    },
  };
}

/** Requests one memory. */
export function memoryReading(id: string, fields?: readonly string[]): Reading {
  return {
    path: `/v1/memories/${id}${fields ? `?fields=${fields.join(',')}` : ''}`,
    expect({ kept }) {
      const found = kept.get(id);
      if (found === undefined) return { status: 404, text: '', links: {} };
      return { status: 200, text: JSON.stringify(cut(found.memory, fields)), links: {} };
    },
  };
}

/** A position in the change feed of an account. */
export interface Mark {
  readonly path: string;
  readonly account: string;
  readonly at: number;
  /** The number of the account's latest change when the cursor was made. */
  readonly latest: number;
  readonly limit: number;
}

/** The times of changes in the first response that had them, by account and number. */
const times = new Map<string, string>();

/** Requests changes. A position that the account's feed never had is refused, except for its beginning. */
export function changesReading(asked: Mark): Reading {
  const { path, account: owner, at, latest, limit } = asked;
  return {
    path,
    resized: (size) => changesReading({ ...asked, path: `${path}&limit=${size}`, limit: size }),
    expect(account, text) {
      if (account.id !== owner && latest > 0) return { status: 410, text: '', links: {} };
      const { told, next } = changes(account, at, limit);
      const came = JSON.parse(text === '' ? '[]' : text) as Change[];
      const must = told.map(({ at: number, memory_id, change }, i) => {
        const key = `${account.id} ${number}`;
        const changed_at = times.get(key) ?? came[i]?.changed_at ?? '';
        if (changed_at !== '') times.set(key, changed_at);
        return { memory_id, change, changed_at };
      });
      assertTimes(came.map(({ changed_at }) => changed_at));
      const mark = { account: account.id, at: next, latest: account.count, limit };
      const link = (target: string) => changesReading({ ...mark, path: target });
      return { status: 200, text: JSON.stringify(must), links: { next: link } };
    },
  };
}

function assertTimes(all: readonly string[]): void {
  const isTime = all.every((time) => /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time));
  assert.ok(isTime, `times of changes: ${all.join()}`);
  assert.deepEqual(all, all.toSorted(), 'oldest first');
}
