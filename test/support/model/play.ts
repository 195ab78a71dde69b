// Runs each step of a history on the service and on the model, and compares every response with the model.

import assert from 'node:assert/strict';

import type { Change, Memory } from '../../../src/contract/schemas/memory.ts';
import type { World } from '../world/world.ts';
import { ask } from './list-filters.ts';
import { list, newAccount, type Account, type ListQuery } from './model.ts';
import { changesReading, listReading, memoryReading, type Reading } from './reads.ts';
import { openSession, type Key } from './session.ts';
import type { Filters, Sequence, Step, Write } from './steps.ts';
import { pick, transact, write } from './writes.ts';

type Of<K extends Step['step']> = Extract<Step, { step: K }>;
type Steps = { readonly [K in Step['step']]: (step: Of<K>) => unknown };

/** A copy of an account that is updated only from the change feed. */
interface Replica {
  readonly account: number;
  readonly copy: Map<string, string>;
  reading: Reading;
}

const HOUR = 3_600_000;
const DEFAULT_LIMIT = 1000; // of the feed

/**
 * Plays a history in accounts of its own, whose ids begin with `name`. Returns the number of
 * responses by kind.
 */
export async function play(world: World, name: string, { first, steps, isLong }: Sequence) {
  const { accounts, keys, links, held, counts, read } = openSession(world);
  const replicas: Replica[] = [];

  const plays: Steps = {
    account: addAccount,
    issue: ({ account, life }) => see(addKey(account % accounts.length, life)),

    revoke({ key }) {
      const old = pick(keys, key) as Key;
      world.writer.keys.revoke(old.id);
      return see(end(old));
    },

    rotate({ key }) {
      const old = pick(keys, key) as Key;
      if (!old.isActive) {
        assert.throws(() => world.writer.keys.rotate(old.id, 0), { name: 'Refusal' });
        return see(old);
      }
      keys.push({ ...old, ...world.writer.keys.rotate(old.id, 0) });
      return see(end(old)).then(() => see(keys.at(-1) as Key));
    },

    disable({ account, isDisabled }) {
      setDisabled(account % accounts.length, isDisabled);
      return see(keyOf(account % accounts.length));
    },

    write: ({ write: what }) => writeTo(what.account % accounts.length, what),

    async transaction(step) {
      accounts.splice(0, Infinity, ...transact({ world, isLong }, accounts, step));
      for (const at of accounts.keys()) await see(keyOf(at));
    },

    list({ key, filters, limit, isSocket }) {
      const { reading } = pageOf(keyAt(key), filters, limit);
      return read(reading, keyAt(key), { isSocket });
    },

    follow({ key, link, limit, isSocket }) {
      const reading = pick(links, link);
      if (reading === undefined) return undefined;
      const sized = limit === undefined ? reading : reading.resized?.(limit);
      return read(sized as Reading, keyAt(key), { isSocket });
    },

    walk: walkThrough,
    get: ({ key, id, fields, isSocket }) =>
      read(memoryReading(id, fields), keyAt(key), { isSocket }),

    again({ read: which, key, style, isSocket }) {
      const one = pick(held, which);
      if (one === undefined) return undefined;
      const other = pick(held, which + 1) as typeof one;
      const tags = {
        one: one.etag,
        weak: `W/${one.etag}`,
        several: `"x", ${one.etag} , W/"y"`,
        other: other.etag,
      };
      // An etag of another response may match by chance, and never has to.
      const claim = style === 'other' ? { ...other, reading: one.reading, count: -1 } : one;
      const how = { isSocket, held: claim, ifNoneMatch: tags[style] };
      return read(one.reading, keyAt(key), how);
    },

    changes({ key, limit, isSocket }) {
      const path = `/v1/changes${limit === undefined ? '' : `?limit=${limit}`}`;
      const start = { path, account: '', at: 0, latest: 0, limit: limit ?? DEFAULT_LIMIT };
      return read(changesReading(start), keyAt(key), { isSocket });
    },

    copy({ replica: which, account, limit }) {
      const at = which % (replicas.length + 1);
      replicas[at] ??= newReplica(account % accounts.length);
      return follow(replicas[at], limit);
    },
  };

  await addAccount();
  await plays.transaction({ step: 'transaction', writes: first, end: 'commit' });
  for (const step of steps) await (plays[step.step] as (step: Step) => unknown)(step);
  for (const replica of replicas) {
    setDisabled(replica.account, false);
    addKey(replica.account, 'for ever');
    while (!(await follow(replica, 2)));
  }
  return counts;

  /** Requests everything that a key gives access to. */
  function see(key: Key) {
    const query: ListQuery = { order: 'desc' };
    const path = '/v1/memories';
    return read(listReading({ path, query, limit: undefined, isByCursor: false }), key);
  }

  function addAccount() {
    const id = `${name}-${accounts.length}`;
    world.writer.accounts.create({ id, name: id, created_by: 'command line' });
    accounts.push(newAccount(id));
    return see(addKey(accounts.length - 1, 'for ever'));
  }

  function addKey(account: number, life: Of<'issue'>['life']): Key {
    const now = Date.now();
    const expires_at = { 'for ever': null, 'an hour': now + HOUR, over: now - 1 }[life];
    const key = world.addKey((accounts[account] as Account).id, expires_at);
    keys.push({ ...key, account, isActive: life !== 'over' });
    return keys.at(-1) as Key;
  }

  /** Picks a valid key most of the time, otherwise any key. */
  function keyAt(which: number): Key {
    const isOpen = (key: Key) => key.isActive && accounts[key.account]?.isDisabled === false;
    const open = which % 5 === 4 ? [] : keys.filter(isOpen);
    return pick(open.length > 0 ? open : keys, which) as Key;
  }

  /** Picks a key of an account, a valid one if there is one. */
  function keyOf(account: number): Key {
    const own = keys.filter((key) => key.account === account);
    return own.find(({ isActive }) => isActive) ?? (own[0] as Key);
  }

  function end(key: Key): Key {
    const ended = { ...key, isActive: false };
    keys[keys.indexOf(key)] = ended;
    return ended;
  }

  function setDisabled(at: number, isDisabled: boolean): void {
    const account = accounts[at] as Account;
    world.writer.accounts.setDisabled(account.id, isDisabled);
    accounts[at] = { ...account, isDisabled };
  }

  function writeTo(at: number, what: Write) {
    accounts[at] = write({ world, isLong }, accounts[at] as Account, what);
    return see(keyOf(at));
  }

  function pageOf(key: Key, filters: Filters, limit: number | undefined) {
    const { sent, meant: query } = ask(filters, accounts[key.account] as Account);
    if (limit !== undefined) sent.append('limit', String(limit));
    const path = `/v1/memories?${sent.toString()}`;
    return { query, reading: listReading({ path, query, limit, isByCursor: false }) };
  }

  /** Follows the pages of a list, with a write between each page and the next. */
  async function walkThrough({ key: which, filters, limit, writes }: Of<'walk'>): Promise<void> {
    const key = keyAt(which);
    const { query, reading } = pageOf(key, filters, limit);
    const places = () =>
      list(accounts[key.account] as Account, query).map(
        ({ started_at, id }) => `${started_at} ${id}`,
      );
    const seen: string[] = [];
    let throughout = places();
    const left = [...writes];
    for (let next: Reading | undefined = reading; next !== undefined;) {
      const got = await read(next, key);
      if (got === undefined) return;
      seen.push(...(JSON.parse(got.text) as Memory[]).map(({ id }) => id));
      next = got.links['next'];
      const what = left.shift();
      if (next !== undefined && what !== undefined) await writeTo(key.account, what);
      const now = new Set(places());
      throughout = throughout.filter((place) => now.has(place));
    }
    for (const place of throughout) {
      const id = place.slice(place.indexOf(' ') + 1);
      assert.equal(seen.filter((each) => each === id).length, 1, `${id} in ${seen.join()}`);
    }
  }

  function newReplica(account: number): Replica {
    const start = { path: '/v1/changes', account: '', at: 0, latest: 0, limit: DEFAULT_LIMIT };
    const reading = changesReading(start);
    return { account, copy: new Map(), reading };
  }

  /**
   * Applies the next changes. Returns whether the feed has ended, with the copy equal to the
   * account.
   */
  async function follow(replica: Replica, limit: number): Promise<boolean> {
    const key = keyOf(replica.account);
    const { reading, copy } = replica;
    const { path } = reading;
    const got = await read(
      path.includes('?') ? (reading.resized?.(limit) as Reading) : reading,
      key,
    );
    if (got === undefined) return false;
    const told = JSON.parse(got.text) as Change[];
    for (const { memory_id, change } of told) {
      const found = change === 'upsert' ? await read(memoryReading(memory_id), key) : undefined;
      if (found === undefined) copy.delete(memory_id);
      else copy.set(memory_id, found.text);
    }
    replica.reading = got.links['next'] as Reading;
    if (told.length > 0) return false;
    const { kept } = accounts[replica.account] as Account;
    const there = Array.from(kept, ([id, { memory }]) => [id, JSON.stringify(memory)] as const);
    assert.deepEqual(copy, new Map(there), 'a copy');
    return true;
  }
}
