// What each endpoint does: (who asks, checked input) → bytes. No SQL, no HTTP.

import { hash } from 'node:crypto';

import { andThen } from '../contract/awaitable.ts';
import type { Handlers } from '../contract/handlers.ts';
import { failure } from '../contract/statuses.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from './auth.ts';
import type { Condition } from './condition.ts';
import { decodeCursor } from './cursor.ts';
import { readList } from './list.ts';
import { VERSION } from './version.ts';

/** What the gateway knows of a call beside its input. */
export interface Context {
  readonly caller: Caller;
  readonly condition: Condition;
}

/** The handlers of the contract over a store. */
export function createHandlers(store: Store): Handlers<Context> {
  return {
    memories: {
      list({ caller, condition }, { cursor, limit, order = 'desc' }) {
        const from = cursor === undefined ? { order, limit } : decodeCursor(cursor);
        const range = { ...from, limit: limit ?? from.limit, account_id: caller.account_id };
        // The revision was read before the memories, so an etag may be too old, never too new.
        const etag = hash('sha256', JSON.stringify([VERSION, caller.revision, range]));
        if (condition.match(etag) !== undefined) return { etag, body: null };
        return andThen(readList(store, range), (list) => ({ etag, ...list }));
      },

      get({ caller, condition }, { memory_id }) {
        const found = store.memory(caller.account_id, memory_id, condition.only);
        return andThen(found, (memory) => {
          if (!memory) throw failure(404);
          const etag = memory.body_sha256;
          return { etag, body: condition.match(etag) === undefined ? memory.body : null };
        });
      },
    },
  };
}
