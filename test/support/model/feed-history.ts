// A random history of an account: writers, imports, deletions, backups and restores, and the followers that read its feed.

import assert from 'node:assert/strict';

import type { Writer } from '../../../src/store/engine.ts';
import { engineOf } from '../../../src/store/engines.ts';
import { memory } from '../world/world.ts';
import { createFollower, type Follower } from './gated-follower.ts';

/** An account in a database that can be taken back to an earlier state. */
export interface Scene {
  readonly account_id: string;
  readonly key: string;
  /** Sends a request to the gateway that serves it now. */
  readonly send: (request: Request) => Promise<Response>;
  /** Two writers, each with a connection of its own. */
  readonly writers: () => readonly Writer[];
  /** The database as it is called now. */
  readonly database: () => string;
  /** Makes a backup. Returns the function that restores it, in one of several ways. */
  readonly backUp: () => Promise<(way: number) => Promise<void>>;
}

/** What a history had. */
export type Counts = Record<
  'writes' | 'imports' | 'deletions' | 'backups' | 'restores' | 'pages' | 'resets' | 'restarts',
  number
>;

/** Creates counts of nothing. */
export function createCounts(): Counts {
  return {
    writes: 0,
    imports: 0,
    deletions: 0,
    backups: 0,
    restores: 0,
    pages: 0,
    resets: 0,
    restarts: 0,
  };
}

/** The names of the memories by id: what every follower must have in the end. */
type Truth = ReadonlyMap<string, string>;

const IDS = 10; // few, so that entries move often
const FOLLOWERS = 3;
const MOST_STEPS = 30;
const MOST_TURNS = 200; // from any state, a follower has caught up long before

/**
 * Plays a history of random steps and lets its followers catch up. Rejects with an `Error` if one of them lacks a memory, has one too many or has an old one.
 */
export async function playHistory(scene: Scene, random: () => number): Promise<Counts> {
  const { account_id, key, send } = scene;
  const counts = createCounts();
  const below = (bound: number): number => random() % bound;
  let truth: Truth = new Map();
  const backups: { truth: Truth; restore: (way: number) => Promise<void> }[] = [];
  const followers = Array.from({ length: FOLLOWERS }, (_, i) => {
    const fixed = 1 + below(6);
    const way = i % 2 === 0 ? 'follow' : 'page';
    const limit = () => (way === 'follow' ? fixed : 1 + below(6));
    return createFollower({ send, key, way, limit });
  });
  let version = 0;

  /** Some memories: new ones, changed ones, and at times one as it is. */
  function some(most: number): Map<string, string> {
    const list = new Map<string, string>();
    for (let i = below(most) + 1; i > 0; i--) {
      const id = `m${below(IDS)}`;
      const isSame = below(6) === 0;
      list.set(id, (isSame ? truth.get(id) : undefined) ?? `version ${++version}`);
    }
    return list;
  }

  const memoriesOf = (list: Truth) => Array.from(list, ([id, name]) => memory({ id, name }));
  const writer = (): Writer => scene.writers()[below(2)] ?? assert.fail('there are two writers');
  const follower = (): Follower => followers[below(FOLLOWERS)] ?? assert.fail('there are some');

  async function turn(each: Follower, amid?: () => Promise<void>): Promise<void> {
    counts.pages++;
    await each.turn(amid);
  }

  const steps = {
    async write() {
      const list = some(4);
      await writer().memories.putAll(account_id, memoriesOf(list));
      truth = new Map([...truth, ...list]);
      counts.writes++;
    },
    async import() {
      const list = some(6);
      const arrivals = memoriesOf(list).map((each) => ({ account_id, memory: each }));
      await engineOf(scene.database()).withImport(
        { isDry: false, isAtomic: below(2) === 0 },
        async (into) => {
          const half = below(arrivals.length + 1);
          await into.put(arrivals.slice(0, half));
          await into.put(arrivals.slice(half));
          await into.commit();
        },
      );
      truth = new Map([...truth, ...list]);
      counts.imports++;
    },
    async delete() {
      const id = `m${below(IDS)}`;
      const isThere = await writer().memories.delete(account_id, id);
      assert.equal(isThere, truth.has(id), `whether ${id} was there`);
      truth = new Map([...truth].filter(([other]) => other !== id));
      counts.deletions++;
    },
    async backUp() {
      backups.push({ truth, restore: await scene.backUp() });
      counts.backups++;
    },
    async restore() {
      const backup = backups[below(Math.max(1, backups.length))];
      if (backup === undefined) return;
      await backup.restore(random());
      ({ truth } = backup);
      counts.restores++;
    },
    async page() {
      await turn(follower());
    },
    /**
     * Writes come while a follower loads the memories of a page. It reads on at once, before any restore:
     * no cursor can tell what a memory was that somebody loaded by its id.
     */
    async pageAmidWrites() {
      const each = follower();
      await turn(each, () => steps[below(2) === 0 ? 'write' : 'delete']());
      await turn(each);
    },
    async restart() {
      await follower().restart();
      counts.restarts++;
    },
  };
  const weights = { write: 5, import: 2, delete: 3, backUp: 2, restore: 3, page: 10 };
  const bag = Object.entries({ ...weights, pageAmidWrites: 2, restart: 2 }).flatMap(
    ([name, weight]) => Array.from({ length: weight }, () => name as keyof typeof steps),
  );

  const played: string[] = [];
  const play = async (name: keyof typeof steps): Promise<void> => {
    played.push(name);
    await steps[name]();
  };
  try {
    await play('write');
    for (let i = below(MOST_STEPS) + 5; i > 0; i--) await play(bag[below(bag.length)] ?? 'page');
    assert.deepEqual(await listed(scene), truth, 'the list is the truth');
    for (const [i, each] of followers.entries()) {
      for (let turns = 0, idle = 0; idle < 2; turns++) {
        assert.ok(turns < MOST_TURNS, `follower ${i} has no end`);
        await turn(each);
        idle = each.isIdle ? idle + 1 : 0;
      }
      assert.deepEqual(new Map(each.copy), truth, `the copy of follower ${i} is the truth`);
      counts.resets += each.resets;
    }
    return counts;
  } catch (error) {
    throw new Error(`A history failed after ${played.join(', ')}.`, { cause: error });
  } finally {
    await Promise.all(followers.map((each) => each.stop()));
  }
}

async function listed({ send, key }: Scene): Promise<Truth> {
  const request = new Request('http://gateway/v1/memories', { headers: { 'x-api-key': key } });
  const list = (await (await send(request)).json()) as { id: string; name: string }[];
  return new Map(list.map(({ id, name }) => [id, name]));
}
