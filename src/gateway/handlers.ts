// What each endpoint does: (who asks, checked input) → bytes. No SQL, no HTTP.

import { hash } from 'node:crypto';

import { andThen } from '../contract/awaitable.ts';
import type { Handlers } from '../contract/handlers.ts';
import { failure } from '../contract/statuses.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from './auth.ts';
import type { Condition } from './condition.ts';
import { listCursor } from './cursor.ts';
import { readFeed } from './feed.ts';
import { cutTo } from './fields.ts';
import { readList } from './list.ts';
import { feedQuery, listQuery } from './query.ts';
import { VERSION } from './version.ts';

/** What the gateway knows of a call beside its input. */
export interface Context {
  readonly caller: Caller;
  readonly condition: Condition;
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean;
}

/** The handlers of the contract over a store. */
export function createHandlers(store: Store): Handlers<Context> {
  return {
    memories: {
      list: ({ caller, condition, isGone }, input) =>
        andThen(listQuery(input), (query) => {
          const etag = etagOf(caller, query);
          if (condition.match(etag) !== undefined) return { etag, body: null };
          const first = input.cursor && listCursor({ ...query, after: undefined });
          const list = readList({ store, isGone }, caller, query);
          return andThen(list, (found) => ({ etag, first, ...found }));
        }),

      get({ caller: { account_id, revision }, condition }, { memory_id: id, fields }) {
        const { name, bytes, cut } = cutTo(fields);
        const known = name === '' ? condition.only : '';
        return andThen(store.memory({ account_id, revision, id, bytes, known }), (memory) => {
          if (!memory) throw failure(404);
          const { body_sha256 } = memory;
          const etag = name === '' ? body_sha256 : hash('sha256', `${body_sha256} ${name}`);
          const isHeld = memory.bytes === null || condition.match(etag) !== undefined;
          return { etag, body: isHeld ? null : cut(memory.bytes), revision: memory.revision };
        });
      },
    },

    changes: {
      list({ caller, condition }, input) {
        const query = feedQuery(input);
        const etag = etagOf(caller, query);
        if (condition.match(etag) !== undefined) return { etag, body: null };
        return andThen(readFeed(store, caller, query), (feed) => ({ etag, ...feed }));
      },
    },
  };
}

/**
 * The etag of a list costs no read of it. The revision was read before the memories are, so the etag
 * may be too old, never too new.
 */
function etagOf({ revision }: Caller, query: object): string {
  return hash('sha256', JSON.stringify([VERSION, revision, query]));
}
