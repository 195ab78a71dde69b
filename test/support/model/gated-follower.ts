// A follower that uses the client: it keeps a copy of an account, and a test lets its feed requests through one at a time.

import { createClient, Failure, type Change } from '../../../src/client/index.ts';

/** How a follower reads the feed: with `follow`, or page by page with limits of its own. */
export type Way = 'follow' | 'page';

export interface FollowerOptions {
  /** Sends a request to the gateway. */
  readonly send: (request: Request) => Promise<Response>;
  readonly key: string;
  readonly way: Way;
  /** The page size. With `page` it is called for every page. */
  readonly limit: () => number;
}

export interface Follower {
  /** The names of the memories by id. */
  readonly copy: ReadonlyMap<string, string>;
  /** How often a 410 made it start again. */
  readonly resets: number;
  /** Whether its last feed response was an empty list. */
  readonly isIdle: boolean;
  /**
   * Lets one feed request through, and waits until its page is in the copy. `amid` runs after the
   * page has come and before its memories are loaded. Rejects with what the follower failed with.
   */
  turn(amid?: () => Promise<void>): Promise<void>;
  /** Stops it and starts it again from the cursor that it has stored, as another process would. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface Session {
  readonly abort: () => void;
  readonly ended: Promise<void>;
}

/** Starts a follower without a copy. */
export function createFollower({ send, key, way, limit }: FollowerOptions): Follower {
  const copy = new Map<string, string>();
  let since: string | undefined;
  let resets = 0;
  let isIdle = false;
  let amid: (() => Promise<void>) | undefined;
  let gate = createGate();
  let session = start();

  function start(): Session {
    const mine = createGate();
    gate = mine;
    const { signal, ...controller } = abortable();
    const api = createClient({
      baseUrl: 'http://gateway',
      apiKey: key,
      retries: 0,
      timeoutMs: Infinity, // a call waits at the gate for as long as the test likes
      async fetch(request) {
        const isFeed = new URL(request.url).pathname === '/v1/changes';
        if (isFeed) await mine.pass();
        const response = await send(request);
        if (isFeed) isIdle = response.status === 200 && (await response.clone().text()) === '[]';
        if (response.status === 410) resets++;
        return response;
      },
    });

    async function takeIn(changes: readonly Change[], next: string): Promise<void> {
      await amid?.();
      for (const { memory_id, change } of changes) {
        const name = change === 'upsert' ? await nameOf(memory_id) : undefined;
        if (name === undefined) copy.delete(memory_id);
        else copy.set(memory_id, name);
      }
      since = next;
    }

    async function nameOf(memory_id: string): Promise<string | undefined> {
      try {
        return (await api.memories.get({ memory_id }, { signal })).name;
      } catch (error) {
        if (error instanceof Failure && error.status === 404) return undefined;
        throw error;
      }
    }

    async function follow(): Promise<void> {
      const pages = api.changes.follow({ limit: limit(), since }, { signal, everyMs: 1 });
      for await (const { items, next, reset } of pages) {
        if (reset) copy.clear();
        await takeIn(items, next);
      }
    }

    async function page(): Promise<void> {
      for (;;) {
        try {
          const { items, next } = await api.changes.page({ limit: limit(), since }, { signal });
          await takeIn(items, next);
        } catch (error) {
          if (!(error instanceof Failure && error.status === 410)) throw error;
          copy.clear();
          since = undefined;
        }
      }
    }

    const work = { follow, page }[way]();
    // A turn that waits for the gate fails with the follower.
    work.catch((error: unknown) => mine.fail(error));
    const ended = work.catch((error: unknown) => {
      if (!(error instanceof Failure && error.reason === 'abort')) throw error;
    });
    ended.catch(() => {});
    return { abort: controller.abort, ended };
  }

  const stop = async (): Promise<void> => {
    session.abort();
    await session.ended;
  };
  return {
    copy,
    get resets() {
      return resets;
    },
    get isIdle() {
      return isIdle;
    },
    async turn(work) {
      amid = work;
      await gate.open();
      amid = undefined;
    },
    async restart() {
      await stop();
      session = start();
    },
    stop,
  };
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** A gate that lets through one request at a time. */
function createGate() {
  let arrival = Promise.withResolvers<void>();
  let way = Promise.withResolvers<void>();
  arrival.promise.catch(() => {});
  return {
    /** Waits until the gate opens. */
    pass(): Promise<void> {
      arrival.resolve();
      return way.promise;
    },
    /** Lets one request through, and waits for the next to arrive. */
    async open(): Promise<void> {
      await arrival.promise;
      arrival = Promise.withResolvers();
      arrival.promise.catch(() => {});
      const { resolve } = way;
      way = Promise.withResolvers();
      resolve();
      await arrival.promise;
    },
    fail(error: unknown): void {
      arrival.reject(error);
    },
  };
}
