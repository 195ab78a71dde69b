// A fake Limitless API with its documented parameters, two lifelogs a page, for tests of what all sources promise.

import type { TestContext } from 'node:test';

import { createProduct, pageOf, type FakeProduct } from './fake-product.ts';
import { SECRET, type PulledSource } from './pulls.ts';

/** A lifelog as the API has it. */
export interface Lifelog {
  readonly id: string;
  readonly title: string;
  readonly markdown: string;
  readonly startTime: string;
  readonly endTime: string;
}

/** Makes a lifelog of no length. */
export function lifelog(id: string, startTime: string, title = `Walk ${id}`): Lifelog {
  return { id, title, markdown: `# ${title}\n\nIt rained.`, startTime, endTime: startTime };
}

/** Four lifelogs in eleven days. */
export const LIFELOGS: readonly Lifelog[] = [
  lifelog('a', '2026-11-02T09:00:00Z'),
  lifelog('b', '2026-11-10T09:00:00Z'),
  lifelog('c', '2026-11-11T09:00:00+01:00'),
  lifelog('d', '2026-11-12T09:00:00Z'),
];

/** A fake Limitless. */
export interface FakeLimitless {
  readonly product: FakeProduct;
  readonly source: PulledSource;
  /** What it has now. A test may change it at any time. */
  readonly lifelogs: Lifelog[];
}

/** Serves lifelogs as documented until the test ends. */
export async function createLimitless(
  t: TestContext,
  lifelogs: Lifelog[] = [...LIFELOGS],
): Promise<FakeLimitless> {
  const product = await createProduct(t, ({ path, query, headers }) => {
    if (headers['x-api-key'] !== SECRET) return { status: 401, body: { error: 'Unauthorized' } };
    const [, id] = /^\/v1\/lifelogs\/(.+)$/.exec(path) ?? [];
    if (id !== undefined) {
      const found = lifelogs.find((each) => each.id === id);
      return found ? { body: { data: { lifelog: found } } } : { status: 404, body: {} };
    }
    if (path !== '/v1/lifelogs' || query.get('direction') !== 'asc')
      return { status: 400, body: {} };
    const start = Date.parse(`${query.get('start') ?? '1970-01-01'}Z`);
    const later = lifelogs
      .filter(({ startTime }) => Date.parse(startTime) >= start)
      .toSorted((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime));
    const { items, next = null } = pageOf(later, query.get('cursor'), 2);
    const meta = { lifelogs: { nextCursor: next, count: items.length } };
    return { body: { data: { lifelogs: items }, meta } };
  });
  const source = { name: 'limitless', url: product.url };
  return { product, source, lifelogs };
}
