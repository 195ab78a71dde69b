// The grammars of a request's lines: targets, hosts, keys, conditions, codings, origins, each against a reading of its own.

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import type { Route } from '../src/contract/api.ts';
import { endpointsOf } from '../src/contract/endpoints.ts';
import { Failure } from '../src/contract/failure.ts';
import { routes } from '../src/contract/routes.ts';
import { createFindAddress } from '../src/gateway/address.ts';
import { authenticate } from '../src/gateway/auth.ts';
import { mountOf, readBase, withoutPrefix } from '../src/gateway/base.ts';
import { negotiate } from '../src/gateway/coding.ts';
import { readCondition } from '../src/gateway/condition.ts';
import { corsHeaders } from '../src/gateway/cors.ts';
import { readTarget } from '../src/gateway/framing.ts';
import { readHeaders } from '../src/gateway/headers.ts';
import { createMatch } from '../src/gateway/match.ts';
import { createDice } from './fuzz/dice.ts';
import { callerOf, type Header } from './fuzz/request.ts';
import { createKey } from './fuzz/scene.ts';
import { openAny } from './support/engine.ts';
import { latin, piecesOf } from './support/texts.ts';
import { createWorld } from './support/world.ts';

/** Bytes out of pieces that mean something, and of any. */
const textOf = (...pieces: string[]) => piecesOf(pieces, latin);

const joined = (parts: readonly string[]): string => parts.join('');

/** What came of reading: a value, or the status of a failure. Anything else that is thrown is a bug. */
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
  const request = { httpVersion: version, url, method: 'GET', rawHeaders } as IncomingMessage;
  return outcomeOf(() => readTarget(request, readHeaders(rawHeaders)));
}

describe('A request target', () => {
  it('is taken as it stands in origin-form, and behind the authority in absolute-form', () => {
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
        if (/[\n\r\u2028\u2029]/.test(text)) return; // which no line of a request has
        assert.equal(targetOf({ url: `${scheme}://${host}${after}/${text}` }), `/${text}`);
        assert.equal(targetOf({ url: `${scheme}://${host}${after}?${text}` }), `/?${text}`);
      }),
      { numRuns: 1000 },
    );
  });

  it('of any other form is 400, and nothing makes it fail otherwise', () => {
    const any = textOf('http://', 'ftp:', 'h:1', '[::1]', '@', '#', '/', '*', '//', ':', '?');
    fc.assert(
      fc.property(any, (url) => {
        const target = targetOf({ url });
        if (typeof target === 'string') assert.match(target, /^\/[^#]*$/s);
        else assert.equal(target, 400, url);
        if (!url.startsWith('/') && !/^https?:\/\//i.test(url)) assert.equal(target, 400, url);
      }),
      { numRuns: 3000 },
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

  it('is one line with a name or address, and a port or none', () => {
    fc.assert(
      fc.property(host, host, fc.integer({ min: 0, max: 3 }), (one, other, count) => {
        const hosts = [one, other, one].slice(0, count);
        assert.equal(targetOf({ hosts }), count === 1 ? '/' : 400);
        assert.equal(targetOf({ hosts, version: '1.0' }), count < 2 ? '/' : 400);
      }),
    );
  });

  it('is 400 with anything in it that ends a name (RFC 3986 §3.2)', () => {
    // Neither unreserved, nor a part of what is, nor of an address or its port.
    const ending = latin.filter((text) => /[^\w.~!$&'()*+;=%:[\]-]/.test(text));
    fc.assert(
      fc.property(host, ending, fc.nat(), (good, bad, at) => {
        const cut = at % (good.length + 1);
        assert.equal(targetOf({ hosts: [good.slice(0, cut) + bad + good.slice(cut)] }), 400);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('Transfer-Encoding', () => {
  it('is one "chunked" in any case, of HTTP/1.1 alone', () => {
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
  it('are all kept, by name in any case, in their order', () => {
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
  it('opens an account where it stands as the README has it, and nowhere else', async (t) => {
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
    const bearer = fc.tuple(scheme, between, key).map(joined);
    // As Node hands them on: without the space around them.
    const value = fc.oneof(bearer, key, latin).map((text) => text.replaceAll(/[\t\r\n]/g, ' '));
    const line = fc.tuple(
      fc.mixedCase(fc.constantFrom('Authorization', 'X-API-Key', 'Cookie', 'X_API_Key')),
      value.map((text) => text.replace(/^ +/, '').replace(/ +$/, '')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (headers: Header[]) => {
        const found = await authenticate(store, readHeaders(headers.flat()), Date.now());
        const request = { method: 'GET', target: '/', version: 'HTTP/1.1', body: '', headers };
        const expected = callerOf(request, owners);
        const account = 'account_id' in found ? found.account_id : undefined;
        assert.equal(account, expected?.id, JSON.stringify(headers));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('If-None-Match', () => {
  // RFC 9110 §8.8.3: entity-tag = [ weak ] opaque-tag; and §5.6.1: a list may have empty elements.
  const tag = fc.string({
    unit: fc
      .oneof(fc.integer({ min: 0x23, max: 0x7e }), fc.constant(0x21))
      .map((code) => String.fromCharCode(code)),
  });
  const separator = fc.constantFrom(',', ', ', ' ,\t', ',,', ', ,');

  it('holds what stands in its list, weak or not, on however many lines', () => {
    const element = fc.tuple(fc.constantFrom('', 'W/'), tag, separator);
    const lines = fc.array(fc.array(element, { minLength: 1 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(lines, tag, fc.nat(), (all, other, at) => {
        const values = all.map((line) =>
          line.map(([weak, each, after]) => `${weak}"${each}"${after}`).join(''),
        );
        const held = all.flat().map(([, each]) => each);
        const one = held[at % held.length] ?? '';
        const condition = readCondition(values);
        assert.equal(condition.match(one), `"${one}"`);
        assert.equal(condition.match(other), held.includes(other) ? `"${other}"` : undefined);
        assert.equal(condition.only, held.length === 1 ? one : '');
        assert.equal(readCondition([`"${one}-br"`], 'br').match(one), `"${one}-br"`);
      }),
      { numRuns: 1000 },
    );
  });

  it('holds all where it is "*", and of anything else no more than stands in it', () => {
    const any = fc.array(textOf('"', 'W/', '*', ',', 'abc', ' '), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(any, fc.constantFrom('abc', '', ','), (lines, etag) => {
        const header = lines.join(',');
        const held = readCondition(lines).match(etag);
        if (header.trim() === '*') assert.equal(held, `"${etag}"`);
        else if (held !== undefined) assert.ok(header.includes(`"${etag}"`), header);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('Accept-Encoding', () => {
  const OURS = ['zstd', 'br', 'gzip'];
  const weight = fc.oneof(
    fc.constant(undefined),
    fc.integer({ min: 0, max: 1000 }).map((q) => q / 1000),
    fc.constantFrom(0, 1),
  );
  const name = fc.constantFrom(...OURS, 'identity', '*', 'deflate', 'x-none');

  /** RFC 9110 §12.5.3: the greatest weight, ours where there are several, and identity where nothing is said of it. */
  function chosenOf(weights: ReadonlyMap<string, number>): string | undefined {
    const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
    const best = Math.max(...OURS.map(weightOf));
    const identity = weights.get('identity') ?? weights.get('*') ?? 0;
    if (best === 0 || identity > best) return undefined;
    return OURS.find((coding) => weightOf(coding) === best);
  }

  it('gets the coding that it likes best, in any case and spacing', () => {
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
      { numRuns: 2000 },
    );
  });

  it('gets no coding that does not stand in it, whatever it says', () => {
    const any = fc.array(textOf('gzip', 'br', ';q=', '0', '1', '.', ',', '*', ' ', ';'));
    fc.assert(
      fc.property(any, (lines) => {
        const chosen = negotiate(lines);
        const header = lines.join().toLowerCase();
        if (chosen) assert.ok(header.includes(chosen) || header.includes('*'), header);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('Origin', () => {
  it('is allowed where it is one of those named, letter by letter, and comes once', () => {
    const named = ['https://a.example', 'http://b.example:8080'];
    const origin = fc.oneof(
      fc.constantFrom(...named, 'null', 'https://a.example.evil', 'HTTPS://a.example'),
      textOf(...named, ' ', ','),
    );
    fc.assert(
      fc.property(fc.array(origin, { maxLength: 2 }), (origins) => {
        const headers = readHeaders(origins.flatMap((each) => ['Origin', each]));
        const answer = corsHeaders(named, headers);
        const isAllowed = origins.length === 1 && named.includes(origins[0] ?? '');
        const at = answer.indexOf('access-control-allow-origin');
        assert.equal(at < 0 ? undefined : answer[at + 1], isAllowed ? origins[0] : undefined);
        assert.deepEqual(corsHeaders([], headers), []);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('X-Forwarded-For', () => {
  const ip = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.1', 'fd00::1', '127.0.0.1'));
  const find = createFindAddress(['127.0.0.1', '10.0.0.0/8'], { error: () => {} });
  const headersOf = (lines: readonly string[]) =>
    readHeaders(lines.flatMap((line) => ['X-Forwarded-For', line]));

  it('tells the last address that is no named proxy, behind one that is', () => {
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

  it('of a peer that is not named tells nothing, and no text makes it fail', () => {
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
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(lines, (all) => void find('10.0.0.1', headersOf(all))),
      { numRuns: 3000 },
    );
  });
});

describe('A base address', () => {
  const any = textOf('/', 'a', '/..', '%2e', 'https://', 'a.example', ':80', '@', '?', '#', '<');

  it('is nothing that an address library reads otherwise, and ends no link', () => {
    fc.assert(
      fc.property(any, (text) => {
        const found = readBase(text);
        if (found === undefined) return;
        assert.doesNotMatch(found.base, /[\s<>"?#\\]/);
        const url = new URL(`${found.base}/v1`, 'http://host');
        assert.equal(url.pathname, `${found.prefix}/v1`);
        if (found.base === found.prefix) assert.equal(url.host, 'host');
      }),
      { numRuns: 5000 },
    );
  });

  it('is made of any plain segments', () => {
    const segment = fc.stringMatching(/^[A-Za-z\d_-][\w~.-]*$/);
    fc.assert(
      fc.property(fc.array(segment), fc.constantFrom('', 'https://a.example'), (all, origin) => {
        const prefix = all.map((each) => `/${each}`).join('');
        assert.deepEqual(readBase(`${origin}${prefix}`), { base: `${origin}${prefix}`, prefix });
        assert.deepEqual(readBase(`${origin}${prefix}/`), { base: `${origin}${prefix}`, prefix });
      }),
    );
  });

  it('is taken off what is ours, and a mount is what was cut off', () => {
    fc.assert(
      fc.property(any, any, (prefix, target) => {
        const rest = withoutPrefix(prefix + target, prefix);
        assert.ok(rest === prefix + target || rest === target);
        assert.equal(withoutPrefix(`${prefix}/v1/${target}`, prefix), `/v1/${target}`);
        const mount = mountOf({ url: target, originalUrl: prefix + target } as object);
        assert.ok(mount === '' || /^\/[^?#<>\s]*$/.test(mount), mount);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('A path', () => {
  it('leads to an endpoint whose path it is, or to 404, or to 405', () => {
    const match = createMatch(endpointsOf<Route>(routes));
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
      { numRuns: 3000 },
    );
  });
});
