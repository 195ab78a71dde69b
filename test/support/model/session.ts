// Sends the requests of a history and compares the responses with the model.

import assert from 'node:assert/strict';

import { assertAlways, assertFailure } from '../wire/response-shape.ts';
import { send, type WireAnswer } from '../wire/wire.ts';
import type { World } from '../world/world.ts';
import type { Account } from './model.ts';
import type { Reading } from './reads.ts';

/** A key and its validity. The account is checked separately. */
export interface Key {
  readonly id: string;
  readonly key: string;
  readonly account: number;
  readonly isActive: boolean;
}

/** An earlier response, for a conditional request. */
interface Held {
  readonly reading: Reading;
  readonly account: number;
  readonly etag: string;
  readonly text: string;
  readonly rels: string;
  /** The number of changes of the account at that time. */
  readonly count: number;
}

/** The way to send a request. */
interface How {
  /** Sends it over a socket instead of `fetch`. */
  readonly isSocket?: boolean;
  /** An earlier response to revalidate, and the header that does. */
  readonly held?: Held;
  readonly ifNoneMatch?: string;
}

export interface Session {
  readonly accounts: Account[];
  readonly keys: Key[];
  /** The requests behind links, in order of arrival. */
  readonly links: Reading[];
  readonly held: Held[];
  /** The number of responses by status and by search result. */
  readonly counts: Record<string, number>;
  /**
   * Sends a request and compares the response with the model. Returns the body and the requests
   * behind its links.
   */
  readonly read: (reading: Reading, key: Key, how?: How) => Promise<Got | undefined>;
}

interface Got {
  readonly text: string;
  readonly links: Readonly<Record<string, Reading>>;
}

/** The details of failures by status, which are the same for every caller. */
const failures = new Map<number, string>();

/** Opens a session in a world. */
export function openSession(world: World): Session {
  const accounts: Account[] = [];
  const keys: Key[] = [];
  const links: Reading[] = [];
  const held: Held[] = [];
  const counts: Record<string, number> = {};
  const countOne = (kind: string | number) => (counts[kind] = (counts[kind] ?? 0) + 1);
  /** The body that each etag stood for, by path and etag. */
  const bodies = new Map<string, string>();

  async function read(reading: Reading, key: Key, how: How = {}): Promise<Got | undefined> {
    const { path } = reading;
    const answer = await request(world, path, key, how);
    assertAlways(answer, path);
    countOne(answer.status);
    const account = accounts[key.account] as Account;
    if (!key.isActive || account.isDisabled) return assertSame(answer, 401, path);
    if (answer.status === 304) return assertHeld(answer, account, how.held);

    const must = reading.expect(account, answer.text);
    if (must.status !== 200) return assertSame(answer, must.status, path);
    assert.equal(answer.status, 200, `${path} ${answer.text}`);
    assert.equal(answer.text, must.text, path);
    const targets = linksOf(answer);
    const rels = Object.keys(must.links).toSorted();
    assert.deepEqual(Object.keys(targets).toSorted(), rels, path);
    const whole = `${answer.text} ${rels.join()}`;

    if (/[?&]q=/.test(path)) countOne(answer.text === '[]' ? 'nothing by words' : 'found by words');
    if (answer.headers['content-length'] === undefined) countOne('streamed');

    const etag = answer.headers['etag'] ?? '';
    assert.match(etag, /^"[^"]+"$/, path);
    assert.equal(bodies.get(`${path} ${etag}`) ?? whole, whole, `one etag for two bodies: ${path}`);
    bodies.set(`${path} ${etag}`, whole);
    if (how.held && isSame(how.held, account) && how.ifNoneMatch?.includes(how.held.etag))
      assert.fail(`not 304, although no write came between: ${path}`);

    held.push({
      reading,
      account: key.account,
      etag,
      text: answer.text,
      rels: rels.join(),
      count: account.count,
    });
    const got = rels.map(
      (rel) => [rel, must.links[rel]?.(targets[rel] as string) as Reading] as const,
    );
    links.push(...got.map(([, link]) => link));
    return { text: answer.text, links: Object.fromEntries(got) };
  }

  function isSame(one: Held, account: Account): boolean {
    return accounts[one.account] === account && one.count === account.count;
  }

  /** 304 is right if the earlier response equals the expected one. */
  function assertHeld(answer: WireAnswer, account: Account, one?: Held): undefined {
    assert.ok(one, '304 without a matching etag');
    const must = one.reading.expect(account, one.text);
    const { path } = one.reading;
    assert.equal(answer.text, '', path);
    assert.equal(answer.headers['etag'], one.etag, path);
    assert.equal(must.status, 200, path);
    assert.equal(one.text, must.text, `304 after a change: ${path}`);
    assert.equal(one.rels, Object.keys(must.links).toSorted().join(), path);
  }

  return { accounts, keys, links, held, counts, read };
}

async function request(world: World, path: string, { key }: Key, how: How): Promise<WireAnswer> {
  const condition = how.ifNoneMatch === undefined ? {} : { 'if-none-match': how.ifNoneMatch };
  if (how.isSocket) return send(world.port, { path, key, headers: condition });
  const headers = { authorization: `Bearer ${key}`, ...condition };
  const response = await world.gateway.fetch(new Request(`http://gateway${path}`, { headers }));
  const body = Buffer.from(await response.arrayBuffer());
  const { status } = response;
  return { status, headers: Object.fromEntries(response.headers), body, text: body.toString() };
}

/** A failure whose body is the same for every caller, so it reveals nothing. */
function assertSame(answer: WireAnswer, status: number, what: string): undefined {
  assertFailure(answer, status, what);
  if (!failures.has(status)) failures.set(status, answer.text);
  assert.equal(answer.text, failures.get(status), what);
}

const LINK = /^<(\/v1\/[a-z]+\?(?:cursor|since)=[A-Za-z0-9_-]+)>; rel="(next|first)"$/;

function linksOf({ headers: { link } }: WireAnswer): Record<string, string> {
  const links = link?.split(', ').map((each) => LINK.exec(each) ?? assert.fail(link)) ?? [];
  return Object.fromEntries(links.map(([, target = '', rel = '']) => [rel, target]));
}
