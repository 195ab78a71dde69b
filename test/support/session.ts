// A session: what is asked of the service by its keys, held against the model at every answer.

import assert from 'node:assert/strict';

import type { Account } from './model.ts';
import type { Reading } from './reading.ts';
import { assertAlways, assertFailure } from './shape.ts';
import { send, type WireAnswer } from './wire.ts';
import type { World } from './world.ts';

/** A key, and whether it is good: its account is judged apart. */
export interface Key {
  readonly id: string;
  readonly key: string;
  readonly account: number;
  readonly isActive: boolean;
}

/** An answer that was kept, to ask whether it still holds. */
interface Held {
  readonly reading: Reading;
  readonly account: number;
  readonly etag: string;
  readonly text: string;
  readonly rels: string;
  /** How many changes the account had had. */
  readonly count: number;
}

/** How something is asked. */
interface How {
  /** Over a socket rather than by `fetch`. */
  readonly isSocket?: boolean;
  /** An answer that the caller has, and the header that says so. */
  readonly held?: Held;
  readonly ifNoneMatch?: string;
}

export interface Session {
  readonly accounts: Account[];
  readonly keys: Key[];
  /** What links asked for, in the order they came. */
  readonly links: Reading[];
  readonly held: Held[];
  /** How many answers came, by status, and by what a search found. */
  readonly counts: Record<string, number>;
  /** Asks, and holds the answer against the model; returns a body that came, and what its links ask for. */
  readonly read: (reading: Reading, key: Key, how?: How) => Promise<Got | undefined>;
}

interface Got {
  readonly text: string;
  readonly links: Readonly<Record<string, Reading>>;
}

/** What failures say, the same to everyone: by status. */
const failures = new Map<number, string>();

/** Opens a session in a world. */
export function openSession(world: World): Session {
  const accounts: Account[] = [];
  const keys: Key[] = [];
  const links: Reading[] = [];
  const held: Held[] = [];
  const counts: Record<string, number> = {};
  const countOne = (kind: string | number) => (counts[kind] = (counts[kind] ?? 0) + 1);
  /** What an etag has stood for, by path and etag. */
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
    if (must.status === 404) return assertSame(answer, 404, path);
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
    assert.equal(bodies.get(`${path} ${etag}`) ?? whole, whole, `one etag, two bodies: ${path}`);
    bodies.set(`${path} ${etag}`, whole);
    if (how.held && isSame(how.held, account) && how.ifNoneMatch?.includes(how.held.etag))
      assert.fail(`not 304, though nothing was written: ${path}`);

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

  /** 304 is right where what is held is what would come. */
  function assertHeld(answer: WireAnswer, account: Account, one?: Held): undefined {
    assert.ok(one, '304 to who holds nothing');
    const must = one.reading.expect(account, one.text);
    const { path } = one.reading;
    assert.equal(answer.text, '', path);
    assert.equal(answer.headers['etag'], one.etag, path);
    assert.equal(must.status, 200, path);
    assert.equal(one.text, must.text, `304 for what has changed: ${path}`);
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

/** A failure whose body is the same to everyone, whatever is behind it. */
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
