// The client: the requests that it sends, its retries, and its failures.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

import {
  createClient,
  Failure,
  type CachedResponse,
  type ClientOptions,
} from '../../src/client/index.ts';
import { nextCursor } from '../../src/client/response.ts';
import { retryDelay } from '../../src/client/retry.ts';
import {
  breakHalfway,
  createScripted,
  hangUp,
  say,
  stall,
  stallHalfway,
} from '../support/wire/scripted-server.ts';
import { issued, leave } from '../support/world/artifacts.ts';
import { startProcess, waitFor } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const KEY = issued(`mem_${'k'.repeat(43)}clIent`);
const one = { ...memory({ id: 'a' }), user_id: 'ana' };

function client(baseUrl: string, options: Partial<ClientOptions> = {}) {
  return createClient({ baseUrl, apiKey: KEY, ...options });
}

/** Returns the failure of a call. No part of it may contain the key. */
async function failure(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => assert.fail('no failure'),
    (thrown: unknown) => thrown,
  );
  leave(inspect(error, { depth: 12, showHidden: true }));
  assert.ok(error instanceof Failure, inspect(error));
  assert.match(error.detail, /^[A-Z].*\.$/);
  assert.equal(error.message, error.detail);
  return error;
}

describe('A request of the client', () => {
  it('has the key in Authorization only', async (t) => {
    const { url, seen } = await createScripted(t, say(200, one));
    await client(url).memories.get({ memory_id: 'a~b' });
    assert.equal(seen[0]?.url, '/v1/memories/a~b');
    assert.equal(seen[0]?.method, 'GET');
    assert.equal(seen[0]?.headers.authorization, `Bearer ${KEY}`);
    assert.equal(seen[0]?.headers['x-api-key'], undefined);
  });

  it('goes to the base URL, with or without a slash at its end', async (t) => {
    const { url, seen } = await createScripted(t, say(200, []));
    await client(url).memories.list();
    await client(`${url}/`).memories.list({ limit: 2, order: undefined });
    await client(`${url}/a/b/`).memories.list({ order: 'asc', limit: 2 });
    await createClient({ baseUrl: new URL(url), apiKey: KEY }).memories.list();
    assert.deepEqual(
      seen.map((request) => request.url),
      [
        '/v1/memories',
        '/v1/memories?limit=2',
        '/a/b/v1/memories?order=asc&limit=2',
        '/v1/memories',
      ],
    );
  });

  it("never goes elsewhere, whatever the id is, and gets the gateway's error about it", async (t) => {
    const { url, seen } = await createScripted(t, say(404, { detail: 'Not here.' }));
    const world = await createWorld(t);
    const real = client(world.url, { apiKey: world.addAccount('ana') });
    const paths: [unknown, string][] = [
      ...['', '.', '..', undefined, null, {}, [], ['..']].map((id): [unknown, string] => [
        id,
        '%20',
      ]),
      [' ', '%20'],
      ['a/b', 'a%2Fb'],
      ['a?b', 'a%3Fb'],
      ['a#b', 'a%23b'],
      ['../../healthz', '..%2F..%2Fhealthz'],
      ['%2e%2e', '%252e%252e'],
      ['\ud800', '%EF%BF%BD'],
    ];
    for (const [id, path] of paths) {
      const memory_id = id as string;
      await failure(client(url).memories.get({ memory_id }));
      assert.equal(seen.at(-1)?.url, `/v1/memories/${path}`, inspect(id));
      const { status, detail } = await failure(real.memories.get({ memory_id }));
      assert.equal(status, 422, inspect(id));
      assert.match(detail, /^The parameter "memory_id" takes 1 to 128 letters/);
    }
  });

  it('asks a function for the key on each call, so that a rotated key is used at once', async (t) => {
    const world = await createWorld(t);
    const first = world.addAccount('ana', [memory({ id: 'a' })]);
    const { id, key } = world.addKey('ana');
    let apiKey = key;
    const api = createClient({ baseUrl: world.url, apiKey: async () => apiKey });
    assert.equal((await api.memories.list()).length, 1);
    world.writer.keys.revoke(id);
    assert.equal((await failure(api.memories.list())).status, 401);
    apiKey = first;
    assert.equal((await api.memories.list()).length, 1);
  });
});

describe('The client’s options', () => {
  it('are repeated in the sentence about them, without a password or a query', () => {
    const messageOf = (options: object) => {
      try {
        createClient({ apiKey: KEY, ...options } as ClientOptions);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    assert.match(messageOf({ baseUrl: 'host:8787' }), /, not host:8787\.$/);
    assert.match(messageOf({}), /^baseUrl .*, not undefined\.$/);
    for (const baseUrl of ['https://u:p@host', 'https://host?p=1'])
      assert.match(messageOf({ baseUrl }), /password and query\.$/);
  });

  it('that make no sense are refused at once, in a sentence without the key', () => {
    const good = { baseUrl: 'https://host.example', apiKey: KEY };
    for (const wrong of [
      ...['', 'host.example', 'ftp://host', 'https://', '/memories'].map((baseUrl) => ({
        baseUrl,
      })),
      ...['https://u:p@host', 'https://host?a', 'https://host/#a'].map((baseUrl) => ({ baseUrl })),
      ...['http://h:99999', 'http://[bad'].map((baseUrl) => ({ baseUrl })),
      ...['https://host/v1', 'https://host/v1/'].map((baseUrl) => ({ baseUrl })),
      ...['', `${KEY}\0`, `${KEY} `, 'schlüssel'].map((apiKey) => ({ apiKey })),
      ...[undefined, null, {}].map((apiKey) => ({ apiKey: apiKey as never })),
      ...[0, -1, Number.NaN].map((timeoutMs) => ({ timeoutMs })),
      ...[-1, Number.NaN].map((retries) => ({ retries })),
      { headers: { 'x-secret': `${KEY}\0` } },
    ]) {
      assert.throws(
        () => createClient({ ...good, ...wrong }),
        (error: Error) => {
          leave(inspect(error));
          assert.match(error.message, new RegExp(`^${Object.keys(wrong)[0]} `));
          return error instanceof TypeError;
        },
      );
    }
  });

  it('accept an infinite or fractional timeout, and a fetch that must not have a this', async (t) => {
    const { url } = await createScripted(t, say(200, []));
    for (const timeoutMs of [Infinity, 10_000 / 3, undefined])
      assert.deepEqual(await client(url, { timeoutMs }).memories.list(), []);
    function strict(this: unknown, request: Request) {
      assert.equal(this, undefined);
      return fetch(request);
    }
    assert.deepEqual(await client(url, { fetch: strict }).memories.list(), []);
  });
});

describe('The hooks of the client', () => {
  it('see every attempt, and may set headers, but not the key', async (t) => {
    const { url, seen } = await createScripted(
      t,
      hangUp,
      say(503, { detail: 'Busy.' }),
      say(200, []),
    );
    const heard: unknown[] = [];
    const api = client(url, {
      headers: { 'X-Own': 'a', Authorization: 'Bearer other' },
      onRequest: async (request) => {
        request.headers.set('x-more', String(heard.push('request')));
      },
      onResponse: ({ status }, request) => heard.push([status, new URL(request.url).pathname]),
      onRetry: ({ attempt, delayMs, status, url: to }) =>
        heard.push([attempt, delayMs > 0, status, to === `${url}/v1/memories`]),
    });
    assert.deepEqual(await api.memories.list(), []);
    assert.deepEqual(heard, [
      'request',
      [1, true, 0, true],
      'request',
      [503, '/v1/memories'],
      [2, true, 503, true],
      'request',
      [200, '/v1/memories'],
    ]);
    assert.deepEqual(
      seen.map(({ headers }) => [headers['x-own'], headers['x-more'], headers.authorization]),
      ['1', '3', '6'].map((count) => ['a', count, `Bearer ${KEY}`]),
    );
  });

  it('that throw end the call with the reason "hook"', async (t) => {
    const { url, seen } = await createScripted(t, say(503, { detail: 'Busy.' }));
    const cause = new Error('mine');
    const broken = () => {
      throw cause;
    };
    for (const hook of ['onRequest', 'onResponse', 'onRetry'] as const) {
      const failed = await failure(client(url, { [hook]: broken }).memories.list());
      assert.deepEqual([failed.reason, failed.status, failed.cause], ['hook', 0, cause]);
      assert.equal(failed.detail, `The hook ${hook} failed. See the cause.`);
    }
    assert.equal(seen.length, 2, 'a request that a hook refuses is not sent, and none is repeated');
  });
});

describe('A failure of the client', () => {
  it('has the URL, the id of the last response, and the time to wait', async (t) => {
    const headers = { 'x-request-id': 'abc', 'retry-after': '7' };
    const { url } = await createScripted(
      t,
      say(429, { detail: 'Later.' }, headers),
      say(404, { detail: 'No.' }),
    );
    const api = client(url, { retries: 0 });
    const { url: at, requestId, retryAfterMs } = await failure(api.memories.list({ q: 'a b' }));
    assert.deepEqual([at, requestId, retryAfterMs], [`${url}/v1/memories?q=a+b`, 'abc', 7000]);
    const none = await failure(api.memories.get({ memory_id: 'x' }));
    assert.deepEqual(
      [none.url, 'requestId' in none, 'retryAfterMs' in none],
      [`${url}/v1/memories/x`, false, false],
    );
  });
});

describe('The client retries', () => {
  it('after a server error and after a broken connection, at most twice', async (t) => {
    for (const [bad, status, reason] of [
      [say(500, { detail: 'Try again.' }), 500, 'answer'],
      [say(503, { detail: 'Try again.' }), 503, 'answer'],
      [say(502, '<h1>Bad gateway</h1>'), 502, 'mismatch'],
      [hangUp, 0, 'network'],
      [breakHalfway, 0, 'network'],
    ] as const) {
      const mended = await createScripted(t, bad, bad, say(200, []));
      assert.deepEqual(await client(mended.url).memories.list(), []);
      assert.equal(mended.seen.length, 3);
      const lasting = await createScripted(t, bad);
      const error = await failure(client(lasting.url).memories.list());
      assert.deepEqual([error.status, error.reason, lasting.seen.length], [status, reason, 3]);
      if (bad === hangUp)
        assert.equal(error.detail, `No gateway at ${lasting.url}. Check baseUrl.`);
    }
  });

  it('never after a response that would be the same, and not at all with retries: 0', async (t) => {
    for (const status of [400, 401, 404, 405, 414, 422, 501]) {
      const { url, seen } = await createScripted(t, say(status, { detail: 'No.' }));
      const error = await failure(client(url).memories.list());
      assert.deepEqual([error.status, error.detail, error.reason], [status, 'No.', 'answer']);
      assert.equal(seen.length, 1, String(status));
    }
    const { url, seen } = await createScripted(t, say(503, { detail: 'No.' }));
    await failure(client(url, { retries: 0 }).memories.list());
    assert.equal(seen.length, 1);
  });

  it('after Retry-After, and not at all if that is after its timeout', async (t) => {
    const came = (after: string) => ({
      response: new Response('', { status: 429, headers: { 'retry-after': after } }),
      text: '',
    });
    assert.equal(retryDelay(came('7'), 0), 7000);
    const date = retryDelay(came(new Date(Date.now() + 60_000).toUTCString()), 0);
    assert.ok(date > 50_000 && date <= 60_000, String(date));
    for (const odd of ['', 'soon', '-1', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
      const [first, third] = [retryDelay(came(odd), 0), retryDelay(came(odd), 2)];
      assert.ok(first >= 100 && first <= 200, `${odd} ${first}`);
      assert.ok(third >= 400 && third <= 800, `${odd} ${third}`);
    }
    const later = say(429, { detail: 'Ask less often.' }, { 'retry-after': '11' });
    const { url, seen } = await createScripted(t, later);
    assert.equal((await failure(client(url).memories.list())).status, 429);
    assert.equal(seen.length, 1);
  });
});

describe('A call that fails says why', () => {
  it('no network, a timeout, an abort: three reasons, and no status', async (t) => {
    const { url } = await createScripted(t, stall);
    const gone = await failure(client('http://127.0.0.1:1', { retries: 0 }).memories.list());
    assert.deepEqual([gone.status, gone.reason], [0, 'network']);
    assert.ok(gone.cause instanceof Error);

    const late = await failure(client(url, { timeoutMs: 50 }).memories.list());
    assert.deepEqual([late.status, late.reason], [0, 'timeout']);
    assert.match(late.detail, /50 ms/);

    const stop = new AbortController();
    const call = client(url).memories.list({}, { signal: stop.signal });
    stop.abort(new Error('the user left'));
    const ended = await failure(call);
    assert.deepEqual([ended.status, ended.reason], [0, 'abort']);
    assert.match(String(ended.cause), /the user left/);
    const never = await failure(client(url).memories.list({}, { signal: stop.signal }));
    assert.equal(never.reason, 'abort');
  });

  it('its timeout includes the body', async (t) => {
    const half = await createScripted(t, stallHalfway);
    const { reason } = await failure(client(half.url, { timeoutMs: 50 }).memories.list());
    assert.equal(reason, 'timeout');
  });

  it('a response of another server is recognised', async (t) => {
    for (const [step, status] of [
      [say(200, '<h1>Welcome</h1>'), 200],
      [say(200, { hello: 'there' }), 200],
      [say(200, [{ ...one, transcript: null }]), 200],
      [say(404, '<h1>Not found</h1>'), 404],
      [say(404, { message: 'not here' }), 404],
      [say(404, 'null'), 404],
      [say(401, { detail: '' }), 401],
      [say(204, ''), 204],
      [say(304, ''), 304],
    ] as const) {
      const { url } = await createScripted(t, step);
      const error = await failure(client(url).memories.list());
      assert.deepEqual([error.status, error.reason], [status, 'mismatch'], error.detail);
      assert.doesNotMatch(error.detail, /Welcome|hello/);
    }
  });

  it('a redirect is not followed: no other server gets the key', async (t) => {
    const elsewhere = await createScripted(t, say(200, []));
    const { url } = await createScripted(t, say(302, '', { location: elsewhere.url }));
    assert.equal((await failure(client(url).memories.list())).status, 302);
    assert.equal(elsewhere.seen.length, 0);
  });

  it('names the place where a response breaks the contract, unless validation is off', async (t) => {
    const { url } = await createScripted(t, say(200, [{ ...one, duration_seconds: -1 }]));
    assert.match((await failure(client(url).memories.list())).detail, /0\.duration_seconds/);
    const unchecked = await client(url, { check: false }).memories.list();
    assert.equal(unchecked[0]?.duration_seconds, -1);
  });

  it('a field that a newer gateway adds is left out, and is no error', async (t) => {
    const newer = { ...one, mood: 'good' };
    const { url } = await createScripted(t, say(200, newer));
    assert.deepEqual(await client(url).memories.get({ memory_id: 'a' }), one);
    const unchecked = client(url, { check: false });
    assert.deepEqual(await unchecked.memories.get({ memory_id: 'a' }), newer);
  });
});

const never = () => new Promise<never>(() => {});

describe('A call ends with its timeout and with its signal', () => {
  const stuck: Record<string, Partial<ClientOptions>> = {
    'in the function of the key': { apiKey: never },
    'in the cache': { cache: { get: never, set: () => {} } },
    'in fetch': { fetch: never },
    'in the body': { fetch: async () => new Response(new ReadableStream({ pull: never })) },
  };
  for (const [where, options] of Object.entries(stuck)) {
    it(`also when it hangs ${where}`, async () => {
      const late = client('http://host', { timeoutMs: 30, ...options });
      assert.equal((await failure(late.memories.list())).reason, 'timeout');
      const signal = AbortSignal.timeout(30);
      const stopped = client('http://host', options);
      assert.equal((await failure(stopped.memories.list({}, { signal }))).reason, 'abort');
    });
  }

  it('also while it waits for a retry', async (t) => {
    const { url, seen } = await createScripted(
      t,
      say(503, { detail: 'Busy.' }, { 'retry-after': '5' }),
    );
    const stop = new AbortController();
    const fetching = async (request: Request) => {
      const response = await fetch(request);
      setImmediate(() => stop.abort());
      return response;
    };
    const api = client(url, { fetch: fetching });
    assert.equal((await failure(api.memories.list({}, { signal: stop.signal }))).reason, 'abort');
    assert.equal(seen.length, 1);
  });

  it('and sends nothing after its end', async () => {
    const sent: string[] = [];
    const fetching = async ({ url }: Request) => {
      sent.push(url);
      await sleep(40);
      return new Response('{"detail":"Busy."}', { status: 503, headers: { 'retry-after': '9' } });
    };
    const slowKey = async () => {
      await sleep(60);
      return KEY;
    };
    const before = process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const late = client('http://h', { apiKey: slowKey, fetch: fetching, timeoutMs: 20 });
    assert.equal((await failure(late.memories.list())).reason, 'timeout');
    const { signal } = new AbortController();
    const stop = AbortSignal.any([signal, AbortSignal.timeout(20)]);
    const busy = client('http://h', { fetch: fetching });
    assert.equal((await failure(busy.memories.list({}, { signal: stop }))).reason, 'abort');
    await sleep(150);
    assert.equal(sent.length, 1, 'the one that was on its way when its call was aborted');
    const after = process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    assert.equal(after, before, 'a wait for the next attempt');
  });

  it('and says abort, even if the reason is the failure of another call', async (t) => {
    const { url } = await createScripted(t, stall);
    const stop = new AbortController();
    const call = client(url).memories.list({}, { signal: stop.signal });
    stop.abort(new Failure(404, 'Of another call.'));
    const error = await failure(call);
    assert.deepEqual([error.status, error.reason], [0, 'abort']);
    assert.ok(error.cause instanceof Failure);
  });

  it('and leaves no listener on a signal that lives longer', async (t) => {
    const { url } = await createScripted(t, say(200, []));
    const { signal } = new AbortController();
    const gone = client('http://127.0.0.1:1', { retries: 0 });
    for (let i = 0; i < 5; i++) {
      await client(url).memories.list({}, { signal });
      await failure(gone.memories.list({}, { signal }));
    }
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});

describe('A call throws only Failures', () => {
  const answers = (body: unknown, status = 200, headers: Record<string, string> = {}) => ({
    fetch: async () => new Response(JSON.stringify(body), { status, headers }),
  });

  it('whatever the server and the program’s own functions do', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    for (const [options, reason] of [
      [answers({ detail: { toString: 1 } }, 404), 'mismatch'],
      [answers({ detail: [{ msg: 'FastAPI' }] }, 422), 'mismatch'],
      [answers({ detail: null }, 500), 'mismatch'],
      [answers(null, 500), 'mismatch'],
      [answers([], 200, { link: '</v1/memories>; rel="next"' }), 'mismatch'],
      [{ apiKey: broken }, 'key'],
      [{ apiKey: () => 'a key\n' }, 'key'],
      [{ apiKey: (() => null) as never }, 'key'],
      [{ fetch: broken }, 'network'],
    ] as const) {
      const api = client('http://host', { retries: 0, ...(options as Partial<ClientOptions>) });
      const error = await failure(api.memories.list());
      assert.equal(error.reason, reason, error.detail);
    }
  });

  it('also if it is called without types', async (t) => {
    const world = await createWorld(t);
    const { memories: api, changes } = client(world.url, { apiKey: world.addAccount('ana') });
    for (const odd of [5, 'x', [1], new Map([['limit', 1]]), () => {}]) {
      const { status, detail } = await failure(api.list(odd as object));
      assert.deepEqual([status, detail], [422, 'Pass an object of parameters.'], inspect(odd));
      assert.equal((await failure(api.each(odd as object).next())).status, 422, inspect(odd));
      assert.equal((await failure(changes.follow(odd as object).next())).status, 422, inspect(odd));
    }
    const circular: unknown[] = [];
    circular.push(circular);
    const kinds = [{}, Object.create(null), Symbol('1'), new Date(), () => 1, null, [], [[1]]];
    for (const odd of [...kinds, circular, [{}], [null], [Symbol('1')]] as never[]) {
      for (const [name, call] of [
        ['limit', () => api.list({ limit: odd })],
        ['is_processing', () => api.list({ is_processing: odd })],
        ['started_after', () => api.list({ started_after: odd })],
        ['q', () => api.list({ q: odd })],
        ['fields', () => api.list({ fields: odd })],
        ['fields', () => api.each({ fields: odd }).next()],
        ['fields', () => api.get({ memory_id: 'a', fields: odd })],
        ['since', () => changes.list({ since: odd })],
      ] as const) {
        const { status, detail } = await failure(call());
        assert.equal(status, 422, `${name}: ${inspect(odd)}`);
        assert.match(detail, new RegExp(`"${name}"`), inspect(odd));
      }
    }
    assert.deepEqual(await api.list(null as never, null as never), []);
    for await (const _ of api.each(null as never)) assert.fail('the call fails');
    const unchecked = client('http://host', { check: false, ...answers({}) }).memories;
    assert.equal((await failure(unchecked.each().next())).reason, 'mismatch');
    assert.equal((await failure(unchecked.page())).reason, 'mismatch');
  });

  it('which show the place where the contract is broken, never the value', async () => {
    const secret = 'nobody else should read this';
    const api = client('http://host', answers([{ ...one, transcript: [secret] }]));
    const error = await failure(api.memories.list());
    assert.match(error.detail, /0\.transcript/);
    assert.ok(!inspect(error, { depth: 20, showHidden: true }).includes(secret));
  });

  it('also for a list whose next page is itself', async () => {
    let asked = 0;
    const link = '</v1/memories?cursor=again>; rel="next"';
    const fetching = async () => {
      asked++;
      return new Response('[]', { headers: { link } });
    };
    const walk = async () => {
      for await (const _ of client('http://host', { fetch: fetching }).memories.each());
    };
    assert.equal((await failure(walk())).reason, 'mismatch');
    assert.equal(asked, 2);
  });
});

describe('A link to the next page', () => {
  it('is read as in RFC 8288', () => {
    const at = '</v1/memories?cursor=a-b_1>';
    for (const [header, cursor] of [
      ['', undefined],
      [`${at}; rel="next"`, 'a-b_1'],
      [`${at};rel=next`, 'a-b_1'],
      [`${at}; REL=Next`, 'a-b_1'],
      [`${at}; title="x"; rel="next"`, 'a-b_1'],
      [`${at}; rel="prev next"`, 'a-b_1'],
      [`</first>; rel="first", ${at}; rel="next"`, 'a-b_1'],
      ['<https://h/x?limit=1&cursor=c&y>; rel=next', 'c'],
      [`${at}; rel="next-archive"`, undefined],
      [`${at}; rel="prev"`, undefined],
      [at, undefined],
      ['</v1/memories?cursor=a-b_1#x>; rel="next"', 'a-b_1'],
      ['</v1/memories>; rel="next"', null],
      ['</v1/memories?cursor=a%2Db>; rel="next"', null],
      ['<?cursor=a'.repeat(1600), undefined],
    ] as const) {
      assert.equal(nextCursor(header), cursor, header.slice(0, 80));
    }
  });
});

describe('The client’s cache', () => {
  it('saves unchanged responses, and never returns outdated ones', async (t) => {
    const world = await createWorld(t);
    const apiKey = world.addAccount('ana', memories(3));
    const cache = new Map<string, CachedResponse>();
    const statuses: number[] = [];
    const api = createClient({
      baseUrl: world.url,
      apiKey,
      cache,
      fetch: async (request) => {
        const response = await fetch(request);
        statuses.push(response.status);
        return response;
      },
    });
    const first = await api.memories.page({ limit: 2 });
    const second = await api.memories.page({ limit: 2 });
    assert.deepEqual(second, first);
    assert.ok(first.next);
    assert.deepEqual(statuses, [200, 304]);
    (second.items[0] as { name: string }).name = 'spoilt';
    assert.deepEqual(await api.memories.page({ limit: 2 }), first);
    world.writer.memories.put('ana', { ...memory({ id: 'm002' }), name: 'renamed' });
    assert.equal((await api.memories.list({ limit: 2 }))[0]?.name, 'renamed');
    const ids = (await api.memories.list()).map(({ id, name }) => [id, name]);
    assert.deepEqual(ids[0], ['m002', 'renamed']);
    assert.deepEqual(statuses, [200, 304, 304, 200, 200]);
  });

  it('is skipped if it fails or is damaged, and works again afterwards', async (t) => {
    const world = await createWorld(t);
    const apiKey = world.addAccount('ana', memories(2));
    const broken = () => {
      throw new Error('no room');
    };
    const hung = { get: () => undefined, set: () => new Promise<void>(() => {}) };
    const kv = new Map<string, string>(); // a store that cannot hold undefined
    const asJson = {
      get: (url: string) => {
        const text = kv.get(url);
        return text === undefined ? undefined : (JSON.parse(text) as CachedResponse);
      },
      set: (url: string, kept: CachedResponse) =>
        kv.set(url, JSON.stringify({ ...kept, next: kept.next ?? null })),
    };
    for (let i = 0; i < 2; i++) {
      const kept = createClient({ baseUrl: world.url, apiKey, cache: asJson });
      assert.equal((await kept.memories.page()).next, undefined);
      let walked = 0;
      for await (const _ of kept.memories.each()) walked++;
      assert.equal(walked, 2);
    }
    for (const cache of [
      { get: broken, set: broken },
      { get: async () => broken(), set: async () => broken() },
      hung,
    ]) {
      const api = createClient({ baseUrl: world.url, apiKey, cache });
      assert.equal((await api.memories.list()).length, 2);
    }
    const cache = new Map<string, CachedResponse>();
    const api = createClient({ baseUrl: world.url, apiKey, cache });
    const good = await api.memories.list();
    const [[url, kept]] = [...cache] as [[string, CachedResponse]];
    for (const damaged of [
      { ...kept, text: kept.text.slice(0, 50) },
      { ...kept, text: '[{"id":"m001"}]' },
      { ...kept, etag: 'x\ny' },
      null as unknown as CachedResponse,
    ]) {
      cache.set(url, damaged);
      assert.deepEqual(await api.memories.list(), good);
      assert.deepEqual(cache.get(url), kept, 'received items stay');
    }
  });

  it('shared by clients of two accounts gives neither the other’s memories', async (t) => {
    const world = await createWorld(t);
    const cache = new Map<string, CachedResponse>();
    const keys = new Map(
      ['ana', 'bo'].map((id) => [id, world.addAccount(id, [memory({ id: 'a' })])]),
    );
    for (const id of ['ana', 'bo', 'ana', 'bo']) {
      const api = createClient({ baseUrl: world.url, apiKey: keys.get(id) ?? '', cache });
      assert.deepEqual(
        (await api.memories.list()).map(({ user_id }) => user_id),
        [id],
      );
    }
  });
});

describe('A walk through all pages', () => {
  it('requests a page when it is needed, and none after a break', async (t) => {
    const world = await createWorld(t);
    const apiKey = world.addAccount('ana', memories(25));
    const paths: string[] = [];
    const api = createClient({
      baseUrl: world.url,
      apiKey,
      fetch: (request) => {
        paths.push(new URL(request.url).search);
        return fetch(request);
      },
    });
    for await (const { id } of api.memories.each({ limit: 10 })) if (id === 'm012') break;
    assert.equal(paths.length, 2);
    assert.equal(paths[0], '?limit=10');
    assert.match(paths[1] ?? '', /^\?cursor=[\w-]+$/);
    paths.length = 0;
    for await (const { id } of api.memories.each()) assert.match(id, /^m0/);
    assert.deepEqual(paths, ['?limit=100']);
  });

  it('ends with its signal, at the next memory', async (t) => {
    const world = await createWorld(t);
    const api = createClient({ baseUrl: world.url, apiKey: world.addAccount('ana', memories(5)) });
    const stop = new AbortController();
    let walked = 0;
    const walk = async () => {
      for await (const _ of api.memories.each({ limit: 2 }, { signal: stop.signal })) {
        stop.abort();
        walked++;
      }
    };
    assert.equal((await failure(walk())).reason, 'abort');
    assert.equal(walked, 1);
  });
});

describe('A memory with some fields', () => {
  const cut = { id: 'a', name: 'A' };
  const { transcript: _, ...slim } = one;

  it('is validated with the requested fields, on every page of a walk', async (t) => {
    const next = { link: '</v1/memories?cursor=c>; rel="next"' };
    const pages = [say(200, [cut], next), say(200, [{ id: 'b' }])];
    const walked: unknown[] = [];
    const walk = async (url: string) => {
      for await (const each of client(url).memories.each({ fields: ['name'] })) walked.push(each);
    };
    const { url, seen } = await createScripted(t, ...pages);
    const { reason, detail } = await failure(walk(url));
    assert.equal(reason, 'mismatch');
    assert.match(detail, /at 0\.name\./);
    assert.deepEqual(walked, [cut]);
    assert.deepEqual(
      seen.map((request) => request.url),
      ['/v1/memories?limit=100&fields=name', '/v1/memories?cursor=c'],
    );
  });

  it('has exactly the requested fields', async (t) => {
    const fields = ['id', 'name'] as const;
    for (const [answer, found] of [
      [{ ...one, name: 'A' }, cut],
      [{ ...cut, mood: 'good' }, cut],
      [{ id: 'a' }, 'mismatch'],
      [{ name: 'A' }, 'mismatch'],
      [{ id: 'a', name: null }, 'mismatch'],
    ] as const) {
      const { url } = await createScripted(t, say(200, answer));
      const call = client(url).memories.get({ memory_id: 'a', fields });
      if (found === 'mismatch') assert.equal((await failure(call)).reason, found);
      else assert.deepEqual(await call, found);
    }
  });

  it('is validated in the fields that it has if a cursor selects them', async (t) => {
    for (const [items, found] of [
      [[one, { ...one, id: 'b' }], undefined],
      [[slim], undefined],
      [[{ id: 'a' }], undefined],
      [[{ name: 'A' }], /at 0\.id\./],
      [[{ id: 'a', is_processing: 'no' }], /at 0\.is_processing\./],
      [[{ id: 'a', transcript: null }], /at 0\.transcript\./],
    ] as const) {
      const { url } = await createScripted(t, say(200, items));
      const call = client(url).memories.page({ cursor: 'c' });
      if (found) assert.match((await failure(call)).detail, found);
      else assert.deepEqual((await call).items, items);
    }
  });

  it('is also validated if the fields are sent as text', async (t) => {
    const { url, seen } = await createScripted(t, say(200, [{ id: 'a' }]));
    const fields = 'id,name' as never;
    assert.match((await failure(client(url).memories.list({ fields }))).detail, /at 0\.name\./);
    assert.equal(seen[0]?.url, '/v1/memories?fields=id%2Cname');
  });

  it('is cached for its fields', async (t) => {
    const world = await createWorld(t);
    const cache = new Map<string, CachedResponse>();
    const statuses: number[] = [];
    const api = client(world.url, {
      apiKey: world.addAccount('ana', memories(3)),
      cache,
      fetch: async (request) => {
        const response = await fetch(request);
        statuses.push(response.status);
        return response;
      },
    }).memories;
    const walk = async () => {
      const walked: unknown[] = [];
      for await (const each of api.each({ fields: ['name'], limit: 2 })) walked.push(each);
      return walked;
    };
    const named = ['m002', 'm001', 'm000'].map((id) => ({ id, name: `Memory ${id}` }));
    assert.deepEqual(await walk(), named);
    assert.deepEqual(await walk(), named);
    assert.equal((await api.list()).length, 3);
    assert.deepEqual(await api.get({ memory_id: 'm001', fields: ['name'] }), named[1]);
    assert.deepEqual(await api.get({ memory_id: 'm001', fields: ['name'] }), named[1]);
    assert.deepEqual(statuses, [200, 200, 304, 304, 200, 200, 304]);
  });
});

describe('The feed of changes', () => {
  const change = { memory_id: 'a', change: 'upsert', changed_at: '2026-11-21T09:30:00.000Z' };
  const to = (since: string) => ({ link: `</v1/changes?since=${since}>; rel="next"` });
  const waits = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;

  it('is followed from page to page, at once while there are changes, and again after a pause', async (t) => {
    const { url, seen } = await createScripted(
      t,
      say(200, [change], to('c1')),
      say(200, [{ ...change, change: 'delete' }], to('c2')),
      say(200, [], to('c2')),
      say(200, [], to('c3')),
      say(200, [change], to('c4')),
    );
    const found: unknown[] = [];
    for await (const page of client(url).changes.follow({ limit: 1 }, { everyMs: 1 })) {
      found.push(page);
      if (found.length === 3) break;
    }
    assert.deepEqual(found, [
      { items: [change], next: 'c1' },
      { items: [{ ...change, change: 'delete' }], next: 'c2' },
      { items: [change], next: 'c4' },
    ]);
    assert.deepEqual(
      seen.map((request) => request.url?.replace('/v1/changes', '')),
      ['', '&since=c1', '&since=c2', '&since=c2', '&since=c3'].map((rest) => `?limit=1${rest}`),
    );
  });

  it('continues from the given cursor', async (t) => {
    const { url, seen } = await createScripted(t, say(200, [change], to('c8')));
    const { value } = await client(url).changes.follow({ since: 'c7' }).next();
    assert.deepEqual(value, { items: [change], next: 'c8' });
    assert.equal(seen[0]?.url, '/v1/changes?since=c7');
  });

  it('a 410 without a cursor is not retried', async (t) => {
    const detail = 'Start again.';
    const { url, seen } = await createScripted(t, say(410, { detail }), say(410, { detail }));
    assert.equal((await failure(client(url).changes.follow().next())).status, 410);
    assert.equal(seen.length, 1);
  });

  it('ends with its signal, also in a pause, and leaves neither timer nor listener', async () => {
    const stop = new AbortController();
    let asked = 0;
    const fetching = async () => {
      asked++;
      setImmediate(() => stop.abort(new Error('the user left')));
      return new Response('[]', { headers: to('c1') });
    };
    const { changes } = client('http://host', { fetch: fetching });
    const { signal } = stop;
    const before = waits();
    for (const when of ['in the pause', 'before it began']) {
      const error = await failure(changes.follow({}, { signal, everyMs: 50_000 }).next());
      assert.deepEqual([error.status, error.reason], [0, 'abort'], when);
      assert.match(String(error.cause), /the user left/);
      assert.equal(getEventListeners(signal, 'abort').length, 0, when);
      assert.equal(waits(), before, when);
    }
    assert.equal(asked, 1);
  });

  it('waits for its interval, however long', async (t) => {
    const warnings: string[] = [];
    const warn = ({ name }: Error) => warnings.push(name); // of a timer that fires at once
    process.on('warning', warn);
    t.after(() => process.off('warning', warn));
    const { url } = await createScripted(t, say(200, [], to('c1')));
    for (const everyMs of [2 ** 40, Infinity, 10_000 / 3]) {
      const stop = new AbortController();
      const fetching = async (request: Request) => {
        const response = await fetch(request);
        setImmediate(() => setImmediate(() => stop.abort()));
        return response;
      };
      const { changes } = client(url, { fetch: fetching });
      const { signal } = stop;
      assert.equal((await failure(changes.follow({}, { signal, everyMs }).next())).reason, 'abort');
    }
    assert.deepEqual(warnings, []);
  });

  it('refuses an invalid interval before it sends a request', async (t) => {
    const { url, seen } = await createScripted(t, say(200, [], to('c1')));
    for (const everyMs of [0, -1, Number.NaN, '60', 5n, {}, Symbol('1')] as number[]) {
      const { status, detail } = await failure(client(url).changes.follow({}, { everyMs }).next());
      assert.deepEqual([status, detail], [422, 'Set everyMs above 0.'], inspect(everyMs));
    }
    assert.equal(seen.length, 0);
  });

  it('always has a cursor, and is refused without one', async (t) => {
    for (const [step, since] of [
      [say(200, [change]), undefined],
      [say(200, []), undefined],
      [say(200, []), 'c1'],
      [say(200, [change], to('c1')), 'c1'],
    ] as const) {
      const { changes } = client((await createScripted(t, step)).url);
      for (const call of [changes.page({ since }), changes.follow({ since }).next()])
        assert.equal((await failure(call)).reason, 'mismatch');
    }
    const { url } = await createScripted(t, say(200, [], to('c1')));
    assert.deepEqual(await client(url).changes.page({ since: 'c1' }), { items: [], next: 'c1' });
  });

  it('ends with its failure, and can continue from the last cursor', async (t) => {
    const { url } = await createScripted(
      t,
      say(200, [change], to('c1')),
      say(401, { detail: 'No.' }),
      say(200, [change], to('c2')),
    );
    const { changes } = client(url);
    let since: string | undefined;
    const follow = async () => {
      for await (const { next } of changes.follow({ since })) {
        since = next;
        if (next === 'c2') return;
      }
    };
    assert.equal((await failure(follow())).status, 401);
    assert.equal(since, 'c1');
    await follow();
    assert.equal(since, 'c2');
  });

  it('is not sent again while nothing has changed', async (t) => {
    const world = await createWorld(t);
    const statuses: number[] = [];
    const { changes } = client(world.url, {
      apiKey: world.addAccount('ana', memories(2)),
      cache: new Map<string, CachedResponse>(),
      fetch: async (request) => {
        const response = await fetch(request);
        statuses.push(response.status);
        if (statuses.length === 3) world.writer.memories.delete('ana', 'm000');
        return response;
      },
    });
    const told: string[][] = [];
    for await (const { items } of changes.follow({}, { everyMs: 1 })) {
      told.push(items.map((each) => `${each.change} ${each.memory_id}`));
      if (told.length === 2) break;
    }
    assert.deepEqual(told, [['upsert m000', 'upsert m001'], ['delete m000']]);
    assert.deepEqual(statuses, [200, 200, 304, 200]);
  });
});

describe('A program that has called the client', () => {
  it('ends when it is done: the client leaves no timer', { timeout: 20_000 }, async (t) => {
    const { url } = await createScripted(t, say(200, []));
    const child = startProcess(['--url', url], {
      script: 'test/support/processes/one-call-program.ts',
    });
    await waitFor(child, 'stdout', /0 memories/);
    assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0);
  });
});
