// Creates the Api from one function that calls an endpoint, with the methods that go on from page to page.

import { delay } from './abort.ts';
import type { Api, CallOptions, FollowOptions } from './api.ts';
import {
  createMethods,
  type CallEndpoint,
  type CallInput,
  type ReadPage,
} from './create-methods.ts';
import { abortFailure, Failure, mismatchFailure } from './failure.ts';
import type { ByEndpoint, Target } from './targets.ts';

/** The page size of `each`, if the input has no `limit`. */
const DEFAULT_PAGE_SIZE = 100;

/** The time that `follow` waits for changes. */
const DEFAULT_POLL_MS = 10_000;

/** Creates the Api of the contract. Each method calls `call`. */
export function createApi<R extends Target>(groups: ByEndpoint<R>, call: CallEndpoint<R>): Api {
  const callUnlessAborted: CallEndpoint<R> = async (each) => {
    throwIfAborted(each.signal);
    return call(each);
  };
  return createMethods(groups, callUnlessAborted, { readInput, listMethods }) as Api;
}

function listMethods(read: ReadPage, parameter: 'cursor' | 'since') {
  const page = async (input?: CallInput, options?: CallOptions) =>
    fetchPage(readInput(input), options);
  return parameter === 'cursor' ? { page, each } : { page, follow };

  async function fetchPage(input: CallInput, options?: CallOptions, first?: CallInput) {
    const { items, next } = await read(input, options, first);
    if (!Array.isArray(items)) throw mismatchFailure(200);
    // The latest changes first have pages that end, like a list.
    const isFeed = parameter === 'since' && !isWalk(input);
    const sent = isFeed ? input['since'] : input['cursor'];
    // A cursor that leads to itself would loop forever. Only a feed stands still while nothing changes.
    const isLoop = next === sent && (items.length > 0 || !isFeed);
    if (next === undefined ? isFeed : isLoop) throw mismatchFailure(200);
    return { items, next };
  }

  async function* each(input?: CallInput, options?: CallOptions): AsyncGenerator {
    const first = readInput(input);
    // A cursor carries the page size of its first request.
    let values: CallInput = 'cursor' in first ? first : { limit: DEFAULT_PAGE_SIZE, ...first };
    for (;;) {
      const { items, next } = await fetchPage(values, options, first);
      for (const item of items) {
        throwIfAborted(options?.signal);
        yield item;
      }
      if (next === undefined) return;
      values = { cursor: next };
    }
  }

  async function* follow(input?: CallInput, options?: FollowOptions): AsyncGenerator {
    const ms = options?.everyMs ?? DEFAULT_POLL_MS;
    if (typeof ms !== 'number' || !(ms > 0)) throw new Failure(422, 'Set everyMs above 0.');
    const first = readInput(input);
    if (isWalk(first))
      throw new Failure(422, 'Follow changes without "cursor" and without "order" desc.');
    let isReset = false;
    for (let values = first; ;) {
      let changes;
      try {
        changes = await fetchPage(values, options);
      } catch (error) {
        const isUndone = error instanceof Failure && error.status === 410;
        if (!isUndone || values['since'] === undefined) throw error;
        const { since: _, ...start } = first;
        values = start;
        isReset = true;
        continue;
      }
      values = { ...first, since: changes.next };
      if (isReset) yield { ...changes, reset: true };
      else if (changes.items.length > 0) yield changes;
      else await delay(ms, options?.signal ?? undefined);
      isReset = false;
    }
  }
}

/** Returns the input without properties that are `undefined`. Throws a `Failure` if it is no object. */
function readInput(input: unknown): CallInput {
  const values = input ?? {};
  if (typeof values !== 'object' || Symbol.iterator in values)
    throw new Failure(422, 'Pass an object of parameters.');
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortFailure(signal);
}

/** Returns whether an input walks from the latest change to the first. */
function isWalk({ order, cursor }: CallInput): boolean {
  return order === 'desc' || cursor !== undefined;
}
