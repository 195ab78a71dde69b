// The engine of sources, with a made-up product that has what others have: newest first, offsets, details, versions.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import * as v from 'valibot';

import { memory as format } from '../../src/formats/products/memory.ts';
import { idIn, Items, textIn, timeIn } from '../../src/sources/page-fields.ts';
import type { Source } from '../../src/sources/source.ts';
import { readState } from '../../src/sources/state.ts';
import { createProduct } from '../support/sources/fake-product.ts';
import { idsOf, readPages } from '../support/sources/pulls.ts';

interface Note {
  readonly id: string;
  readonly at: string;
  readonly version: string;
}

const PAGE = 3;

const notes: Source = {
  name: 'notes',
  product: 'Notes',
  documents: [],
  url: undefined,
  credential: { variable: 'NOTES_KEY', header: (secret) => ['authorization', secret] },
  format,
  order: 'newest first',
  isByPosition: true,
  // Each page begins with the last item of the one before.
  list: ({ cursor = '0' }) => ({ path: '/graphql', body: { skip: Number(cursor) } }),
  readPage: ({ body }, { cursor = '0' }) => {
    const items = v.parse(v.object({ notes: Items }), body).notes;
    const next = items.length < PAGE ? undefined : String(Number(cursor) + PAGE - 1);
    return { items, next };
  },
  timeOf: (item) => timeIn(item, 'at'),
  versionOf: (item) => textIn(item, 'version'),
  details: (item) => [{ path: `/texts/${idIn(item)}` }, { path: `/titles/${idIn(item)}` }],
  join: (item, [text, title]) => text && { ...item, text, title },
  problemIn: (body) =>
    v.is(v.object({ errors: v.array(v.unknown()) }), body) ? { kind: 'credential' } : undefined,
};

const note = (id: string, day: number, version = '1'): Note => ({
  id,
  at: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`,
  version,
});

/** Serves notes, newest first. A note whose id begins with x has no text yet, and that of bad is never sent. */
async function createNotes(t: TestContext, all: Note[]) {
  const product = await createProduct(t, ({ path, body }) => {
    if (path === '/graphql') {
      const { skip } = body as { readonly skip: number };
      const sorted = all.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
      return { body: { notes: sorted.slice(skip, skip + PAGE) } };
    }
    if (path.startsWith('/texts/bad')) return { status: 500 };
    return path.startsWith('/texts/x') ? { status: 404 } : { body: JSON.stringify(path) };
  });
  const details = () => product.requests.filter(({ path }) => path.startsWith('/texts/'));
  return { product, all, details };
}

/** The state as the next run reads it. */
function stateAfter(pages: Awaited<ReturnType<typeof readPages>>) {
  const last = pages.at(-1);
  const seen = Object.fromEntries(last?.seen ?? []);
  return readState(JSON.stringify({ ...last?.state, seen }));
}

const MONTH = [note('a', 1), note('b', 5), note('c', 10), note('d', 14), note('e', 15)];

describe('A list with details, newest first', () => {
  it('is read to its end at first, with all details', async (t) => {
    const { product } = await createNotes(t, [...MONTH]);
    const pages = await readPages(notes, product.url);
    assert.deepEqual([...new Set(idsOf(pages))], ['e', 'd', 'c', 'b', 'a']);
    assert.deepEqual(JSON.parse(pages[0]?.items[0]?.text ?? ''), {
      ...note('e', 15),
      text: '/texts/e',
      title: '/titles/e',
    });
    assert.deepEqual(pages[0]?.state, {}, 'older items are still missing');
    assert.deepEqual(pages.at(-1)?.state, { since: Date.parse('2026-11-15') });
  });

  it('then ends a week before the newest, and loads only what is new or changed', async (t) => {
    const { product, all, details } = await createNotes(t, [...MONTH]);
    const state = stateAfter(await readPages(notes, product.url));
    assert.deepEqual(Object.keys(state.seen ?? {}).toSorted(), ['c', 'd', 'e']);
    product.requests.splice(0);
    all.push(note('f', 16));
    all[3] = note('d', 14, '2');
    const pages = await readPages(notes, product.url, { state });
    assert.deepEqual(idsOf(pages), ['f', 'd']);
    assert.deepEqual(
      details().map(({ path }) => path),
      ['/texts/f', '/texts/d'],
    );
    assert.equal(
      pages.reduce((sum, { unchanged }) => sum + unchanged, 0),
      2, // c and e
    );
  });

  it('tries an item again that was not ready', async (t) => {
    const { product, details } = await createNotes(t, [note('x', 15), note('b', 14)]);
    const first = await readPages(notes, product.url);
    assert.deepEqual(idsOf(first), ['b']);
    await readPages(notes, product.url, { state: stateAfter(first) });
    assert.deepEqual(
      details().map(({ path }) => path),
      ['/texts/x', '/texts/b', '/texts/x'],
    );
  });

  it('goes on behind an item that fails for ever, says so, and asks for it again', async (t) => {
    const { product, details } = await createNotes(t, [...MONTH, note('bad', 12)]);
    const pages = await readPages(notes, product.url);
    assert.deepEqual([...new Set(idsOf(pages))], ['e', 'd', 'c', 'b', 'a']);
    const [failed, ...others] = pages.flatMap((page) => page.failed);
    assert.deepEqual([failed?.id, others], ['bad', []]);
    assert.match(
      failed?.reason ?? '',
      /^notes \(\S+\/texts\/bad\) answered with status 500, 6 times; pull with --mirror later to request it again$/,
    );
    assert.deepEqual(pages.at(-1)?.state, { since: Date.parse('2026-11-15') });
    product.requests.splice(0);
    await readPages(notes, product.url, { state: stateAfter(pages) });
    assert.ok(details().every(({ path }) => path === '/texts/bad'));
    assert.equal(details().length, 6);
  });

  it('stops before the page of items that fail one after another, because that may pass', async (t) => {
    const bad = ['bad1', 'bad2', 'bad3'].map((id, i) => note(id, 16 + i));
    const { product } = await createNotes(t, [...MONTH, ...bad]);
    const pages = readPages(notes, product.url);
    await assert.rejects(pages, /answered with status 500, 6 times; run it again later\.$/);
  });

  it('is read whole for --mirror, with the details of what is old', async (t) => {
    const { product } = await createNotes(t, [...MONTH]);
    const state = stateAfter(await readPages(notes, product.url));
    const pages = await readPages(notes, product.url, { state, isFull: true });
    assert.deepEqual(pages.at(-1)?.complete, new Set(['e', 'd', 'c', 'b', 'a']));
    assert.deepEqual(idsOf(pages), ['b', 'a']);
  });

  it('is read up to a time with --until, and the position stays', async (t) => {
    const { product } = await createNotes(t, [...MONTH]);
    const state = { since: Date.parse('2026-11-15') };
    const until = Date.parse('2026-11-10');
    const pages = await readPages(notes, product.url, { state, until });
    assert.deepEqual(idsOf(pages), ['b', 'a']);
    assert.deepEqual(pages.at(-1)?.state, state);
  });

  it('loses nothing if --since leaves out what no run has read', async (t) => {
    const { product } = await createNotes(t, [...MONTH]);
    const state = { since: Date.parse('2026-11-01') };
    const since = Date.parse('2026-11-14');
    const pages = await readPages(notes, product.url, { state, since });
    assert.deepEqual([...new Set(idsOf(pages))], ['e', 'd']);
    assert.deepEqual(pages.at(-1)?.state, state);
  });
});

describe('A response of status 200', () => {
  it('can say that the credential is refused, as GraphQL does', async (t) => {
    const product = await createProduct(t, () => ({ body: { errors: ['no'] } }));
    await assert.rejects(
      readPages(notes, product.url),
      /notes refuses the credential \(in its response\); put a valid one into NOTES_KEY or/,
    );
  });
});

describe('A stored state that cannot be read', () => {
  it('starts the source anew', () => {
    for (const text of [undefined, '', '[]', '{"since":"yesterday"}', '{"seen":[1]}'])
      assert.deepEqual(readState(text)?.since, undefined);
  });
});
