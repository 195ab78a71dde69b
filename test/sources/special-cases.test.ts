// What is special to single sources: long transcripts, live meetings, errors of GraphQL, older servers, silences.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { bee } from '../../src/sources/products/bee.ts';
import { fireflies } from '../../src/sources/products/fireflies.ts';
import { granola } from '../../src/sources/products/granola.ts';
import { readai } from '../../src/sources/products/readai.ts';
import { speakr } from '../../src/sources/products/speakr.ts';
import { tldv } from '../../src/sources/products/tldv.ts';
import { vexa } from '../../src/sources/products/vexa.ts';
import { createProduct, type Answer } from '../support/sources/fake-product.ts';
import { idsOf, readPages, SECRET } from '../support/sources/pulls.ts';

const MORNING = Date.parse('2026-11-18T09:00:00Z');

describe('The granola source', () => {
  it('reads a long transcript page by page', async (t) => {
    const note = { id: 'not_1', updated_at: '2026-11-18T10:00:00Z' };
    const said = (text: string) => ({ speaker: { name: 'Mira' }, text });
    const product = await createProduct(t, ({ path, query }): Answer => {
      if (path === '/v1/notes') return { body: { notes: [note], hasMore: false, cursor: null } };
      if (query.get('include') === 'transcript')
        return { status: 413, body: { code: 'TRANSCRIPT_TOO_LARGE' } };
      if (path === '/v1/notes/not_1') return { body: { ...note, title: 'Rain', transcript: null } };
      assert.equal(path, '/v1/notes/not_1/transcript');
      return query.get('cursor') === 'c2'
        ? { body: { transcript: [said('Three.')], hasMore: false, cursor: null } }
        : { body: { transcript: [said('One.'), said('Two.')], hasMore: true, cursor: 'c2' } };
    });
    const [page] = await readPages(granola, product.url);
    const read = JSON.parse(page?.items[0]?.text ?? '') as Record<string, unknown>;
    assert.deepEqual(
      [read['title'], read['transcript']],
      ['Rain', [said('One.'), said('Two.'), said('Three.')]],
    );
  });

  it('does not load a note again that has not changed', async (t) => {
    const note = { id: 'not_1', updated_at: '2026-11-18T10:00:00Z' };
    const product = await createProduct(t, ({ path }) =>
      path === '/v1/notes'
        ? { body: { notes: [note], hasMore: false, cursor: null } }
        : { body: { ...note, transcript: [] } },
    );
    const [page] = await readPages(granola, product.url);
    const state = { ...page?.state, seen: Object.fromEntries(page?.seen ?? []) };
    const [again] = await readPages(granola, product.url, { state });
    assert.deepEqual([again?.items, again?.unchanged], [[], 1]);
    assert.equal(product.requests.length, 3);
  });

  it('counts a note without a transcript as not ready, and loads it when the transcript is there', async (t) => {
    const note = { id: 'not_1', updated_at: '2026-11-18T10:00:00Z' };
    let transcript: readonly object[] | null = null;
    const product = await createProduct(t, ({ path }) =>
      path === '/v1/notes'
        ? { body: { notes: [note], hasMore: false, cursor: null } }
        : { body: { ...note, transcript } },
    );
    const [page] = await readPages(granola, product.url);
    assert.deepEqual([page?.items, page?.unready], [[], 1]);
    transcript = [{ text: 'One.' }];
    const state = { ...page?.state, seen: Object.fromEntries(page?.seen ?? []) };
    const [again] = await readPages(granola, product.url, { state });
    assert.deepEqual([again?.items.length, again?.unready], [1, 0]);
  });
});

describe('The fireflies source', () => {
  const failed = (code: string, more: object = {}) => ({
    data: null,
    errors: [{ message: 'No', code, extensions: { code, ...more } }],
  });

  it('waits until the moment that an error names, whatever its status', async (t) => {
    const product = await createProduct(t, () => ({ body: { data: { transcripts: [] } } }));
    const until = (ms: number) => ({ status: 429, metadata: { retryAfter: Date.now() + ms } });
    product.faults.set(1, { body: failed('too_many_requests', until(50)) });
    product.faults.set(2, { status: 429, body: failed('too_many_requests', until(50)) });
    const waits: number[] = [];
    const onWait = (ms: number) => void waits.push(ms);
    await readPages(fireflies, product.url, { target: { onWait } });
    assert.equal(product.requests.length, 3);
    assert.equal(waits.length, 2);
  });

  it('stops at once if the quota of a day is used up, and says so', async (t) => {
    const retryAfter = Date.now() + 5 * 3_600_000;
    const body = failed('too_many_requests', { metadata: { retryAfter } });
    const product = await createProduct(t, () => ({ body }));
    await assert.rejects(readPages(fireflies, product.url), { kind: 'busy' });
    assert.equal(product.requests.length, 1);
  });

  it('shows the code of another error', async (t) => {
    const product = await createProduct(t, () => ({ status: 403, body: failed('paid_required') }));
    await assert.rejects(readPages(fireflies, product.url), {
      kind: 'response',
      message: /answered with the error paid_required; run it again later\.$/,
    });
  });

  it('sends a request again after a timeout or an error of the server', async (t) => {
    const product = await createProduct(t, () => ({ body: { data: { transcripts: [] } } }));
    product.faults.set(1, { body: failed('request_timeout') });
    product.faults.set(2, { status: 500, body: failed('internal_server_error') });
    await readPages(fireflies, product.url);
    assert.equal(product.requests.length, 3);
  });

  it('takes transcripts that come with an error beside them', async (t) => {
    const transcripts = [{ id: 'a', date: MORNING, sentences: [] }];
    const body = { ...failed('paid_required'), data: { transcripts } };
    const product = await createProduct(t, () => ({ body }));
    assert.deepEqual(idsOf(await readPages(fireflies, product.url)), ['a']);
  });

  it('leaves a live meeting out', async (t) => {
    const transcripts = [{ id: 'live', date: MORNING, is_live: true, sentences: null }];
    const product = await createProduct(t, () => ({ body: { data: { transcripts } } }));
    assert.deepEqual(idsOf(await readPages(fireflies, product.url)), []);
  });
});

describe('The readai source', () => {
  it('says how to get a new token when it is refused', async (t) => {
    const product = await createProduct(t, () => ({ status: 401 }));
    await assert.rejects(readPages(readai, product.url), {
      message:
        'readai refuses the credential (401); an access token is valid for ten minutes, so make a new one before each run, as docs/howto/import/readai.md shows.',
    });
  });

  it('leaves a meeting out that goes on', async (t) => {
    const meeting = { id: 'a', start_time_ms: MORNING, end_time_ms: MORNING + 60_000 };
    const data = [{ ...meeting, id: 'live', end_time_ms: null }, meeting];
    const product = await createProduct(t, () => ({ body: { data, has_more: false } }));
    assert.deepEqual(idsOf(await readPages(readai, product.url)), ['a']);
    const [request] = product.requests;
    assert.deepEqual(request?.query.getAll('expand[]'), ['transcript', 'summary', 'action_items']);
  });
});

describe('The tldv source', () => {
  it('joins a meeting with its transcript and its notes, which may be missing', async (t) => {
    const meeting = { id: 'a', name: 'Rain', happenedAt: '2026-11-18T09:00:00.000Z' };
    const transcript = { data: [{ speaker: 'Mira', text: 'It rains.' }] };
    const product = await createProduct(t, ({ path }): Answer => {
      if (path.endsWith('/transcript')) return { body: transcript };
      if (path.endsWith('/notes')) return { status: 404, body: {} };
      return { body: { page: 1, pages: 1, results: [meeting] } };
    });
    const [page] = await readPages(tldv, product.url);
    assert.deepEqual(JSON.parse(page?.items[0]?.text ?? ''), { ...meeting, transcript });
  });
});

describe('The vexa source', () => {
  it('leaves a meeting without words out', async (t) => {
    const meeting = { id: 7, status: 'failed', created_at: '2026-11-18T09:00:00' };
    const product = await createProduct(t, ({ path, query }) =>
      path === '/meetings'
        ? { body: { meetings: query.get('offset') === '0' ? [meeting] : [] } }
        : { body: { ...meeting, segments: [] } },
    );
    assert.deepEqual(idsOf(await readPages(vexa, product.url)), []);
  });
});

describe('The bee source', () => {
  it('says that its address is wrong if it asks for a credential', async (t) => {
    const product = await createProduct(t, () => ({ status: 401 }));
    const target = { secret: undefined };
    await assert.rejects(readPages(bee, product.url, { target }), {
      message: 'bee asks for a credential (401), which it should not need; check --url.',
    });
  });

  it('needs no credential, and loads a conversation again when its summary is written', async (t) => {
    const listed = { id: 7, start_time: MORNING, end_time: null, state: 'COMPLETED' };
    const conversations = [{ ...listed, summary: null as string | null }];
    const product = await createProduct(t, ({ path }) =>
      path === '/v1/conversations'
        ? { body: { conversations, next_cursor: null } }
        : { body: { conversation: listed } },
    );
    const target = { secret: undefined };
    const [page] = await readPages(bee, product.url, { target });
    const seen = Object.fromEntries(page?.seen ?? []);
    assert.deepEqual(idsOf(await readPages(bee, product.url, { target, state: { seen } })), []);
    conversations[0] = { ...listed, summary: 'It rained.' };
    assert.deepEqual(idsOf(await readPages(bee, product.url, { target, state: { seen } })), ['7']);
    assert.ok(product.requests.every(({ headers }) => headers.authorization === undefined));
  });
});

describe('The speakr source', () => {
  const listed = (id: number, more: object) => ({
    id,
    status: 'COMPLETED',
    title: 'Rain',
    ...more,
  });

  it('leaves a recording out until it is done', async (t) => {
    const recordings = [
      listed(1, { updated_at: '2026-11-18T09:00:00Z' }),
      listed(2, { updated_at: '2026-11-18T08:00:00Z', status: 'PROCESSING' }),
    ];
    const product = await createProduct(t, ({ path }) =>
      path === '/api/v1/recordings'
        ? { body: { recordings, pagination: { page: 1, has_next: false } } }
        : { body: { id: 1, transcription: '' } },
    );
    assert.deepEqual(idsOf(await readPages(speakr, product.url)), ['1']);
    assert.equal(product.requests.length, 2);
    assert.equal(product.requests[0]?.headers.authorization, `Bearer ${SECRET}`);
  });

  it('stops after what is new on a server that lists everything by created_at', async (t) => {
    const product = await createProduct(t, ({ path, query }) => {
      const page = Number(query.get('page'));
      const day = `${20 - page}`.padStart(2, '0');
      return path === '/api/v1/recordings'
        ? {
            body: {
              recordings: [listed(page, { created_at: `2026-11-${day}T09:00:00` })],
              pagination: { page, has_next: page < 19 },
            },
          }
        : { body: { id: 1, transcription: '' } };
    });
    const state = { since: Date.parse('2026-11-19T09:00:00Z') };
    assert.equal(idsOf(await readPages(speakr, product.url, { state })).length, 8);
    assert.ok(product.requests.some(({ query }) => query.get('page') === '9'));
    assert.ok(product.requests.every(({ query }) => query.get('page') !== '10'));
  });
});
