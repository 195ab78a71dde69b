// The handlers of people, tags and action items.

import { malformedParameter } from '../../../contract/check-input.ts';
import type { Handlers } from '../../../contract/handlers.ts';
import { routes } from '../../../contract/routes.ts';
import { andThen } from '../../../lib/async.ts';
import { facetKey } from '../../../store/details/facets.ts';
import type { Store } from '../../../store/store.ts';
import type { RunSteps } from '../../fair-share/time.ts';
import type { Caller } from '../../request/auth.ts';
import type { CallContext } from '../endpoint.ts';
import { etagOf, toBounds } from '../list.ts';
import { itemsCursor, readItems, readItemsCursor } from './action-items.ts';
import { peopleCursor, readPeople, readPeopleCursor, readTags } from './people.ts';

/** Creates the handlers over the store that a caller may read. */
export function createDetailHandlers(
  storeOf: (caller: Caller) => Store,
  runSteps: RunSteps,
): Pick<Handlers<CallContext>, 'people' | 'tags' | 'actionItems'> {
  return {
    people: {
      list: ({ caller, condition }, { cursor, limit, q, timezone, ...given }) =>
        andThen(toBounds(given, timezone), (range) => {
          const read =
            cursor === undefined ? { q: keyOf(q), limit, ...range } : readPeopleCursor(cursor);
          if (read === undefined) throw malformedParameter(routes.people.list, 'cursor');
          const query = { ...read, limit: limit ?? read.limit };
          const etag = etagOf(caller, { of: 'people', ...query });
          if (condition?.match(etag) !== undefined) return { etag, body: null };
          const first = cursor && peopleCursor({ ...query, after: undefined });
          return andThen(readPeople(storeOf(caller), caller, query), ({ last, ...found }) => ({
            etag,
            first,
            next: last && peopleCursor({ ...query, after: last }),
            ...found,
          }));
        }),
    },

    tags: {
      list: ({ caller, condition }, { timezone, ...given }) =>
        andThen(toBounds(given, timezone), (range) => {
          const etag = etagOf(caller, { of: 'tags', ...range });
          if (condition?.match(etag) !== undefined) return { etag, body: null };
          return andThen(readTags(storeOf(caller), caller, range), (found) => ({ etag, ...found }));
        }),
    },

    actionItems: {
      list: (context, { cursor, limit, done, owner, timezone, ...given }) =>
        andThen(toBounds(given, timezone), (range) => {
          const { caller, condition } = context;
          const read =
            cursor === undefined
              ? { done, owner: keyOf(owner), limit, ...range }
              : readItemsCursor(cursor);
          if (read === undefined) throw malformedParameter(routes.actionItems.list, 'cursor');
          const query = { ...read, limit: limit ?? read.limit };
          const etag = etagOf(caller, { of: 'action_items', ...query });
          if (condition?.match(etag) !== undefined) return { etag, body: null };
          const first = cursor && itemsCursor({ ...query, after: undefined });
          const steps = readItems(storeOf(caller), caller, query);
          return andThen(runSteps(context, steps), ({ last, ...found }) => ({
            etag,
            first,
            next: last && itemsCursor({ ...query, after: last }),
            ...found,
          }));
        }),
    },
  };
}

function keyOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : facetKey(name);
}
