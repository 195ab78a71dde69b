// The corpus of the fuzz test: valid requests to all endpoints, from which all others are derived.

import { fill } from '../http/wire/case.ts';
import { WIRE_CASES } from '../http/wire/cases.ts';
import { createKey, DELETED, SHARED, type Owner } from './accounts.ts';
import { createDice } from './random.ts';
import type { Answer } from './read-responses.ts';
import { toBytes, type Asked, type Header } from './request.ts';

/** Sends one request on a connection of its own. */
export type Ask = (request: Asked) => Promise<Answer>;

/** The request targets of all endpoints, and what to combine them with. */
export interface Corpus {
  readonly targets: readonly string[];
  /** Groups of header lines that are valid on any request. */
  readonly extras: readonly (readonly Header[])[];
  /** Byte sequences that are not plain requests. */
  readonly odd: readonly string[];
}

const LISTS = [
  '',
  'limit=1',
  'limit=2&order=asc',
  'limit=1000',
  'started_after=2026-01-02T03:04:05Z&started_before=2026-01-04T12:00:00.123%2B02:00&limit=9',
  'started_after=2026-01-02&timezone=America/St_Johns&limit=3',
  'started_before=2026-01-05&timezone=Europe/Berlin&limit=3&order=asc',
  'is_processing=true',
  'is_processing=false&limit=4',
  'q=milk&limit=2',
  'q=%22milk,%20caf%C3%A9%22&limit=2',
  'q=can*%20%E6%97%A5%E6%9C%AC&limit=3&order=asc',
  'q=nowhere',
  'fields=id',
  'fields=name,summary&limit=5',
  'fields=transcript,user_id&limit=2&q=canary',
  'limit=3&fields=started_at&is_processing=true',
];

const BESIDE = [
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
  '/docs/',
  '/docs/start.js',
  '/docs/style.css',
  '/docs/NOTICE',
  '/v1',
  '/v1/memories/',
  '/v2/memories',
  '/',
];

const PLAIN: readonly (readonly Header[])[] = [
  [],
  [],
  [['Accept-Encoding', 'gzip']],
  [['Accept-Encoding', 'gzip, deflate, br, zstd']],
  [['accept-encoding', 'br;q=0.5, zstd;q=0.1, identity;q=0']],
  [['Accept-Encoding', '*;q=0']],
  [['If-None-Match', '*']],
  [['If-None-Match', 'W/"a", "b" , ,"c']],
  [
    ['Accept', 'application/json'],
    ['User-Agent', 'fuzz/1'],
    ['Range', 'bytes=0-9'],
  ],
  [
    ['Origin', 'https://a.example'],
    ['Access-Control-Request-Method', 'GET'],
  ],
  [
    ['Cookie', 'a=b'],
    ['X-Forwarded-For', '10.0.0.1'],
    ['X-User-Id', 'canary-of-bo'],
    ['__proto__', 'x'],
  ],
];

/** Creates the corpus: fixed requests, and the requests that their responses link to. */
export async function makeCorpus(owners: readonly Owner[], ask: Ask): Promise<Corpus> {
  const targets = new Set<string>(BESIDE);
  const etags = new Set<string>();
  const open = owners.filter(({ active }) => active.length > 0);
  for (const { id } of owners) for (const path of pathsOf(id)) targets.add(path);
  const first = Array.from(targets);
  for (const { active } of open)
    for (const target of first) {
      const answer = await ask(get(target, active[0] ?? ''));
      const [link, etag] = [answer.headers.get('link'), answer.headers.get('etag')];
      for (const [, next = ''] of (link ?? '').matchAll(/<([^>]*)>/g)) targets.add(next);
      if (etag !== undefined) etags.add(etag);
    }
  const held = [...etags].slice(0, 60).map((etag): Header[] => [['If-None-Match', etag]]);
  return {
    targets: [...targets],
    extras: [...PLAIN, ...held],
    odd: [...oddOnes(open), ...wireOnes(owners)],
  };
}

function pathsOf(canary: string): string[] {
  const ids = [SHARED, DELETED, `${canary}-3`, `${canary}-6`];
  return [
    ...LISTS.map((query) => `/v1/memories${query && '?'}${query}`),
    ...ids.map((id) => `/v1/memories/${id}`),
    `/v1/memories/${canary}-4?fields=name,transcript`,
    `/v1/memories/absent`,
    '/v1/changes',
    '/v1/changes?limit=3',
  ];
}

/** Creates a GET request with a key. */
export function get(target: string, key: string): Asked {
  const headers: Header[] = [['Host', 'fuzz']];
  if (key !== '') headers.push(['X-API-Key', key]);
  return { method: 'GET', target, headers, version: 'HTTP/1.1', body: '' };
}

/**
 * Requests whose framing matters: bodies, old versions, other forms of request target, and other
 * protocols.
 */
function oddOnes(owners: readonly Owner[]): string[] {
  return owners.flatMap(({ active: [key = ''] }) => {
    const one = get('/v1/memories?limit=2', key);
    const also = (...headers: Header[]): Asked => ({
      ...one,
      headers: [...one.headers, ...headers],
    });
    const chunked: Header = ['Transfer-Encoding', 'chunked'];
    const odd: Asked[] = [
      { ...one, version: 'HTTP/1.0' },
      { ...get('/v1/memories', key), version: 'HTTP/1.0' },
      { ...also(['Connection', 'keep-alive']), version: 'HTTP/1.0' },
      { ...one, version: 'HTTP/2.0' },
      { ...one, target: `http://fuzz${one.target}` },
      { ...one, target: '*', method: 'OPTIONS' },
      { ...one, target: 'fuzz:443', method: 'CONNECT' },
      also(['Connection', 'close']),
      also(['Connection', 'Upgrade'], ['Upgrade', 'websocket']),
      { ...also(['Content-Length', '5']), body: 'hello' },
      { ...also(['Content-Length', '5']), method: 'POST', body: 'hello' },
      { ...also(['Content-Length', '57']), body: toBytes(one).slice(0, 57) },
      { ...also(chunked), method: 'PUT', body: '5\r\nhello\r\n0\r\n\r\n' },
      { ...also(chunked), body: `3;a=b\r\nabc\r\n0\r\nX-API-Key: ${key}\r\n\r\n` },
      { ...also(chunked, ['Content-Length', '3']), body: '3\r\nabc\r\n0\r\n\r\n' },
      { ...also(['Transfer-Encoding', 'gzip, chunked']), body: '0\r\n\r\n' },
      also(['Expect', '100-continue'], ['Content-Length', '4']),
      also(['Expect', 'nothing']),
      also(['Host', 'other']),
      { ...one, headers: one.headers.slice(1) },
      also(['Accept', ' folded\r\n lines']),
      also(['A', 'a'.repeat(17_000)]),
      { ...one, target: `${one.target}&${'a'.repeat(13_400)}` },
    ];
    return [
      ...odd.map(toBytes),
      ...messages(key).map(toBytes),
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'GET /healthz\r\n',
      '\r\n\r\nGET /healthz HTTP/1.1\r\nHost: fuzz\r\n\r\n',
    ];
  });
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const TOOL_CALLS: readonly (readonly [string, object])[] = [
  ['search', { query: 'milk canary', max_tokens: 500 }],
  ['search', { query: 'café*', started_after: '7d', timezone: 'Europe/Berlin' }],
  ['fetch', { id: SHARED }],
  ['fetch', { id: `${SHARED}#L1-L2`, query: 'milk' }],
  ['list_memories', { limit: 2, started_before: 'today' }],
  ['list_changes', { since: 'yesterday' }],
  ['check_quote', { id: SHARED, quote: 'milk' }],
  ['nothing', {}],
];

/** The messages of agents in both eras of the protocol. */
function messages(key: string): Asked[] {
  const message = (method: string, params: object, headers: readonly Header[] = []): Asked => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return {
      ...get('/mcp', key),
      method: 'POST',
      headers: [
        ...get('/mcp', key).headers,
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json, text/event-stream'],
        ...headers,
        ['Content-Length', String(body.length)],
      ],
      body: body.toString('latin1'),
    };
  };
  const modern = (method: string, params: object, name?: string) =>
    message(method, { ...params, _meta: META }, [
      ['MCP-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', method],
      ...(name === undefined ? [] : [['Mcp-Name', name] as const]),
    ]);
  return [
    message('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }),
    message('notifications/initialized', {}),
    message('tools/list', {}),
    modern('server/discover', {}),
    modern('tools/list', {}),
    modern('resources/list', {}),
    modern('resources/read', { uri: `memory://${SHARED}` }, `memory://${SHARED}`),
    modern('prompts/get', { name: 'catch_up' }, 'catch_up'),
    modern('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    ...TOOL_CALLS.map(([name, args]) => message('tools/call', { name, arguments: args })),
    ...TOOL_CALLS.map(([name, args]) => modern('tools/call', { name, arguments: args }, name)),
  ];
}

/** The cases of test/http/wire with the keys of this database. */
function wireOnes([ana, bo, ...others]: readonly Owner[]): string[] {
  const [revoked = '', expired = ''] = ana?.dead ?? [];
  const keys = {
    key: ana?.active[0] ?? '',
    other: bo?.active[0] ?? '',
    revoked,
    expired,
    disabled: others.at(-1)?.dead[0] ?? '',
    unknown: createKey(createDice('unknown', 0)),
  };
  return WIRE_CASES.map(({ bytes }) => fill(bytes, keys));
}
