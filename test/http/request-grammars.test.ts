// The grammars of a request: targets, hosts, keys, conditions, encodings and origins, each compared with a second parser.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { Failure } from '../../src/contract/failure.ts';
import { httpEndpoints } from '../../src/contract/file-routes.ts';
import { createAuthenticate } from '../../src/gateway/request/auth.ts';
import { mountOf, readBase, withoutPrefix } from '../../src/gateway/request/base-url.ts';
import { createFindClientIp } from '../../src/gateway/request/client-ip.ts';
import { createCors } from '../../src/gateway/request/cors.ts';
import { createNegotiate } from '../../src/gateway/request/encoding.ts';
import { readIfNoneMatch } from '../../src/gateway/request/etag.ts';
import { readTarget } from '../../src/gateway/request/framing.ts';
import { readHeaders } from '../../src/gateway/request/headers.ts';
import { createEndpointMatch } from '../../src/gateway/request/route.ts';
import { createKey } from '../fuzz/accounts.ts';
import { createDice } from '../fuzz/random.ts';
import { callerOf, type Header } from '../fuzz/request.ts';
import { openAny } from '../support/engines/engine.ts';
import { latin, piecesOf } from '../support/model/arbitrary-text.ts';
import { cases } from '../support/world/thorough.ts';
import { createWorld } from '../support/world/world.ts';

/** Bytes from meaningful pieces and from arbitrary ones. */
const textOf = (...pieces: string[]) => piecesOf(pieces, latin);

const joined = (parts: readonly string[]): string => parts.join('');

/** The result of reading: a value, or the status of a failure. Any other error is a bug. */
function outcomeOf<T>(read: () => T): T | number {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) return error.status;
    throw error;
  }
}

interface Lines {
  readonly url?: string;
  readonly hosts?: readonly string[];
  readonly version?: string;
  readonly codings?: readonly string[];
}

function targetOf({ url = '/', hosts = ['h'], version = '1.1', codings = [] }: Lines) {
  const lines = [
    ...hosts.map((host) => ['Host', host]),
    ...codings.map((coding) => ['Transfer-Encoding', coding]),
  ];
  const rawHeaders = lines.flat();
  const req = { httpVersion: version, url, method: 'GET', rawHeaders };
  const request = { headers: readHeaders(rawHeaders), transport: { req } as ServerResponse };
  return outcomeOf(() => readTarget(request));
}

describe('A request target', () => {
  it('is used unchanged in origin-form, and without its authority in absolute-form', () => {
    const path = textOf('/', 'v1', '..', '%2e', '//', '?a=b', '\\', '%zz', '@', ':').map((text) =>
      text.replaceAll('#', ''),
    );
    const authority = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((ip) => `[${ip}]`),
    );
    const port = fc.oneof(
      fc.constant(''),
      fc.nat(65_535).map((each) => `:${each}`),
    );
    fc.assert(
      fc.property(path, authority, port, fc.mixedCase(fc.constant('https')), (text, ...rest) => {
        const [host, after, scheme] = rest;
        assert.equal(targetOf({ url: `/${text}` }), `/${text}`);
        if (/[\n\r\u2028\u2029]/.test(text)) return; // which no request line contains
        assert.equal(targetOf({ url: `${scheme}://${host}${after}/${text}` }), `/${text}`);
        assert.equal(targetOf({ url: `${scheme}://${host}${after}?${text}` }), `/?${text}`);
      }),
      { numRuns: cases(1000) },
    );
  });

  it('of any other form is 400, and never another failure', () => {
    const any = textOf('http://', 'ftp:', 'h:1', '[::1]', '@', '#', '/', '*', '//', ':', '?');
    fc.assert(
      fc.property(any, (url) => {
        const target = targetOf({ url });
        if (typeof target === 'string') assert.match(target, /^\/[^#]*$/s);
        else assert.equal(target, 400, url);
        if (!url.startsWith('/') && !/^https?:\/\//i.test(url)) assert.equal(target, 400, url);
      }),
      { numRuns: cases(3000) },
    );
  });
});

describe('Host', () => {
  const name = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((ip) => `[${ip}]`),
  );
  const host = fc
    .tuple(name, fc.option(fc.nat(65_535)))
    .map(([text, port]) => (port === null ? text : `${text}:${port}`));

  it('is one header with a name or address, and an optional port', () => {
    fc.assert(
      fc.property(host, host, fc.integer({ min: 0, max: 3 }), (one, other, count) => {
        const hosts = [one, other, one].slice(0, count);
        assert.equal(targetOf({ hosts }), count === 1 ? '/' : 400);
        assert.equal(targetOf({ hosts, version: '1.0' }), count < 2 ? '/' : 400);
      }),
    );
  });

  it('is 400 with anything in it that ends a name (RFC 3986 §3.2)', () => {
    // Characters that are neither unreserved nor part of an escape, an address or a port.
    const ending = latin.filter((text) => /[^\w.~!$&'()*+;=%:[\]-]/.test(text));
    fc.assert(
      fc.property(host, ending, fc.nat(), (good, bad, at) => {
        const cut = at % (good.length + 1);
        assert.equal(targetOf({ hosts: [good.slice(0, cut) + bad + good.slice(cut)] }), 400);
      }),
      { numRuns: cases(1000) },
    );
  });
});

describe('Transfer-Encoding', () => {
  it('is one "chunked" in upper or lower case, in HTTP/1.1 only', () => {
    const coding = fc.oneof(fc.mixedCase(fc.constant('chunked')), textOf('chunked', ',', 'gzip'));
    const versions = fc.constantFrom('1.1', '1.0', '2.0', '1.2', '0.9', '');
    fc.assert(
      fc.property(fc.array(coding, { maxLength: 3 }), versions, (codings, version) => {
        const isGood = codings.length === 0 || /^(chunked)$/i.test(codings.join());
        const expected = { '1.1': isGood ? '/' : 501, '1.0': codings.length === 0 ? '/' : 400 };
        const found = targetOf({ codings, version });
        assert.equal(found, expected[version as keyof typeof expected] ?? 505);
      }),
    );
  });
});

describe('Headers', () => {
  it('are all read in their order, with names in upper or lower case', () => {
    const name = fc.mixedCase(fc.constantFrom('a', 'host', '__proto__', 'constructor', 'x-b'));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, latin)), (lines) => {
        const headers = readHeaders(lines.flat());
        const names = new Set(lines.map(([each]) => each.toLowerCase()));
        assert.deepEqual([...headers.keys()], [...names]);
        for (const each of names)
          assert.deepEqual(
            headers.get(each),
            lines.filter(([other]) => other.toLowerCase() === each).map(([, value]) => value),
          );
      }),
    );
  });
});

describe('A key in the headers', () => {
  it('is accepted in the documented headers only', async (t) => {
    const world = await createWorld(t);
    const keys = { ana: world.addAccount('ana'), bo: world.addAccount('bo') };
    const owners = Object.entries(keys).map(([id, key]) => ({
      id,
      canary: id,
      active: [key],
      dead: [],
      memories: [],
    }));
    const store = await openAny(world.database);
    t.after(() => store.close());
    const unknown = createKey(createDice('unknown', 0));
    const key = fc.constantFrom(keys.ana, keys.ana, keys.bo, unknown, keys.ana.slice(1), '');
    const scheme = fc.oneof(
      fc.mixedCase(fc.constant('Bearer')),
      fc.constantFrom('Basic', 'Bearers', 'Bea rer', '', '(', 'é'),
    );
    const between = fc.constantFrom(' ', '  ', '', '\t', ',', ' , ', '=');
    const authenticate = createAuthenticate(store, { now: () => Date.now(), keyNotes: [] });
    const bearer = fc.tuple(scheme, between, key).map(joined);
    // Node passes on values without surrounding whitespace.
    const value = fc.oneof(bearer, key, latin).map((text) => text.replaceAll(/[\t\r\n]/g, ' '));
    const line = fc.tuple(
      fc.mixedCase(fc.constantFrom('Authorization', 'X-API-Key', 'Cookie', 'X_API_Key')),
      value.map((text) => text.replace(/^ +/, '').replace(/ +$/, '')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (headers: Header[]) => {
        const found = await authenticate({
          headers: readHeaders(headers.flat()),
          clientIp: undefined,
        });
        const request = { method: 'GET', target: '/', version: 'HTTP/1.1', body: '', headers };
        const expected = callerOf(request, owners);
        const account = 'account_id' in found ? found.account_id : undefined;
        assert.equal(account, expected?.id, JSON.stringify(headers));
      }),
      { numRuns: cases(5000) },
    );
  });
});

describe('If-None-Match', () => {
  // RFC 9110 section 8.8.3: entity-tag = [ weak ] opaque-tag. Section 5.6.1: a list may have empty
  // elements.
  const tag = fc.string({
    unit: fc
      .oneof(fc.integer({ min: 0x23, max: 0x7e }), fc.constant(0x21))
      .map((code) => String.fromCharCode(code)),
  });
  const separator = fc.constantFrom(',', ', ', ' ,\t', ',,', ', ,');

  it('matches the etags in its list, weak or strong, on any number of lines', () => {
    const element = fc.tuple(fc.constantFrom('', 'W/'), tag, separator);
    const lines = fc.array(fc.array(element, { minLength: 1 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(lines, tag, fc.nat(), (all, other, at) => {
        const values = all.map((line) =>
          line.map(([weak, each, after]) => `${weak}"${each}"${after}`).join(''),
        );
        const held = all.flat().map(([, each]) => each);
        const one = held[at % held.length] ?? '';
        const condition = readIfNoneMatch(values);
        assert.equal(condition.match(one), `"${one}"`);
        assert.equal(condition.match(other), held.includes(other) ? `"${other}"` : undefined);
        assert.equal(condition.only, held.length === 1 ? one : '');
        assert.equal(readIfNoneMatch([`"${one}-br"`], 'br').match(one), `"${one}-br"`);
      }),
      { numRuns: cases(1000) },
    );
  });

  it('matches every etag if it is "*", and otherwise only those in it', () => {
    const any = fc.array(textOf('"', 'W/', '*', ',', 'abc', ' '), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(any, fc.constantFrom('abc', '', ','), (lines, etag) => {
        const header = lines.join(',');
        const held = readIfNoneMatch(lines).match(etag);
        if (/^[ \t]*\*[ \t]*$/.test(header)) assert.equal(held, `"${etag}"`);
        else if (held !== undefined) assert.ok(header.includes(`"${etag}"`), header);
      }),
      { numRuns: cases(2000) },
    );
  });
});

describe('Accept-Encoding', () => {
  const negotiate = createNegotiate();
  const OURS = ['zstd', 'br', 'gzip'];
  const weight = fc.oneof(
    fc.constant(undefined),
    fc.integer({ min: 0, max: 1000 }).map((q) => q / 1000),
    fc.constantFrom(0, 1),
  );
  const name = fc.constantFrom(...OURS, 'identity', '*', 'deflate', 'x-none');

  /**
   * RFC 9110 section 12.5.3: the greatest weight wins, then the gateway's preference. Identity is
   * acceptable unless excluded.
   */
  function chosenOf(weights: ReadonlyMap<string, number>): string | undefined {
    const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
    const best = Math.max(...OURS.map(weightOf));
    const identity = weights.get('identity') ?? weights.get('*') ?? 0;
    if (best === 0 || identity > best) return undefined;
    return OURS.find((coding) => weightOf(coding) === best);
  }

  it('gets the encoding with the highest weight, in any case and spacing', () => {
    const space = fc.constantFrom('', ' ', '\t', '  ');
    const element = fc.tuple(
      name.chain((each) => fc.mixedCase(fc.constant(each))),
      weight,
      space,
    );
    const list = fc.uniqueArray(element, { selector: ([each]) => each.toLowerCase() });
    fc.assert(
      fc.property(list, (elements) => {
        const header = elements
          .map(([each, q, s]) => (q === undefined ? each : `${each}${s};${s}q=${q}`))
          .join(', ');
        const weights = elements.map(([each, q = 1]) => [each.toLowerCase(), q] as const);
        assert.equal(negotiate([header]), chosenOf(new Map(weights)), header);
      }),
      { numRuns: cases(2000) },
    );
  });

  it('never gets an encoding that it does not contain', () => {
    const any = fc.array(textOf('gzip', 'br', ';q=', '0', '1', '.', ',', '*', ' ', ';'));
    fc.assert(
      fc.property(any, (lines) => {
        const chosen = negotiate(lines);
        const header = lines.join().toLowerCase();
        if (chosen) assert.ok(header.includes(chosen) || header.includes('*'), header);
      }),
      { numRuns: cases(2000) },
    );
  });
});

describe('Origin', () => {
  it('is allowed if it is exactly one of the configured origins, and sent once', () => {
    const named = ['https://a.example', 'http://b.example:8080'];
    const origin = fc.oneof(
      fc.constantFrom(...named, 'null', 'https://a.example.evil', 'HTTPS://a.example'),
      textOf(...named, ' ', ','),
    );
    fc.assert(
      fc.property(fc.array(origin, { maxLength: 2 }), (origins) => {
        const answer = createCors(named).of(origins);
        const isAllowed = origins.length === 1 && named.includes(origins[0] ?? '');
        const at = answer.indexOf('access-control-allow-origin');
        assert.equal(at < 0 ? undefined : answer[at + 1], isAllowed ? origins[0] : undefined);
        assert.deepEqual(createCors([]).of(origins), []);
      }),
      { numRuns: cases(2000) },
    );
  });
});

describe('X-Forwarded-For', () => {
  const ip = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.1', 'fd00::1', '127.0.0.1'));
  const find = createFindClientIp(['127.0.0.1', '10.0.0.0/8'], { error: () => {} });
  const headersOf = (lines: readonly string[]) =>
    readHeaders(lines.flatMap((line) => ['X-Forwarded-For', line]));

  it('gives the last address that is not a configured proxy', () => {
    const entry = fc.tuple(fc.ipV4(), fc.constantFrom('', ':80'));
    const peer = fc.constantFrom('127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3');
    fc.assert(
      fc.property(peer, fc.array(entry, { minLength: 1 }), fc.boolean(), (from, all, isOne) => {
        const entries = all.map(([address, port]) => address + port);
        const isNamed = (address: string) => address === '127.0.0.1' || address.startsWith('10.');
        const last = all.map(([address]) => address).findLast((address) => !isNamed(address));
        const found = find(from, headersOf(isOne ? [entries.join(', ')] : entries));
        assert.equal(found, last ?? all[0]?.[0], entries.join());
      }),
    );
  });

  it('is ignored from an address that is not a configured proxy, and never throws', () => {
    const text = textOf(
      ',',
      ', ',
      '10.0.0.1',
      '[::1]:80',
      'fe80::1%eth0',
      '::ffff:1.2.3.4',
      '_',
      '',
    );
    const lines = fc.array(fc.oneof(text, ip), { maxLength: 3 });
    fc.assert(
      fc.property(ip, lines, (from, all) => {
        const found = find(from, headersOf(all));
        if (/^10\.|^127\.0\.0\.1$|^::ffff:/.test(from)) return;
        assert.equal(found, find(from, headersOf([])));
      }),
      { numRuns: cases(2000) },
    );
    fc.assert(
      fc.property(lines, (all) => void find('10.0.0.1', headersOf(all))),
      { numRuns: cases(3000) },
    );
  });
});

describe('A base address', () => {
  const any = textOf('/', 'a', '/..', '%2e', 'https://', 'a.example', ':80', '@', '?', '#', '<');

  it('is read as a URL library reads it, and cannot end a link', () => {
    fc.assert(
      fc.property(any, (text) => {
        const found = readBase(text);
        if (found === undefined) return;
        assert.doesNotMatch(found.base, /[\s<>"?#\\]/);
        const url = new URL(`${found.base}/v1`, 'http://host');
        assert.equal(url.pathname, `${found.prefix}/v1`);
        if (found.base === found.prefix) assert.equal(url.host, 'host');
      }),
      { numRuns: cases(5000) },
    );
  });

  it('can have any plain segments', () => {
    const own = /^(?:v1|app|s|mcp|docs|oauth|healthz|readyz|openapi\.json)$/i;
    const segment = fc.stringMatching(/^[A-Za-z\d_-][\w~.-]*$/).filter((each) => !own.test(each));
    fc.assert(
      fc.property(fc.array(segment), fc.constantFrom('', 'https://a.example'), (all, origin) => {
        const prefix = all.map((each) => `/${each}`).join('');
        assert.deepEqual(readBase(`${origin}${prefix}`), { base: `${origin}${prefix}`, prefix });
        assert.deepEqual(readBase(`${origin}${prefix}/`), { base: `${origin}${prefix}`, prefix });
      }),
    );
  });

  it('is removed from request targets, and a mount is the part that was removed', () => {
    fc.assert(
      fc.property(any, any, (prefix, target) => {
        const rest = withoutPrefix(prefix + target, prefix);
        // The prefix alone is the root.
        const isRoot = /^(?:\?|$)/.test(target) && rest === `/${target}`;
        assert.ok(rest === prefix + target || rest === target || isRoot);
        assert.equal(withoutPrefix(`${prefix}/v1/${target}`, prefix), `/v1/${target}`);
        const mount = mountOf({ url: target, originalUrl: prefix + target } as object);
        assert.ok(mount === '' || /^\/[^?#<>\s]*$/.test(mount), mount);
      }),
      { numRuns: cases(2000) },
    );
  });
});

describe('A path', () => {
  it('leads to the endpoint with that path, or to 404 or 405', () => {
    const match = createEndpointMatch(httpEndpoints);
    const path = textOf('/v1', '/memories', '/changes', '/', 'a', '%2F', '.', '/..', '\n');
    fc.assert(
      fc.property(path, fc.constantFrom('GET', 'HEAD', 'POST', '', 'get'), (text, method) => {
        const found = outcomeOf(() => match(method, text));
        if (typeof found === 'number') {
          assert.ok([404, 405].includes(found));
          return;
        }
        const { path: pattern } = found.endpoint.route;
        const filled = pattern.replace('{memory_id}', () => found.params['memory_id'] ?? '');
        assert.equal(filled, text);
        assert.ok(method === 'GET' || method === 'HEAD');
      }),
      { numRuns: cases(3000) },
    );
  });
});
