// Handlers of what only the app shows: the stars, notes and saved searches of owners, the months of what a search finds, and who talks how much and with whom.

import { Failure } from '../../../contract/failure.ts';
import { toJsonRecord } from '../../../lib/time.ts';
import { dayReader } from '../../../lib/timezone.ts';
import { doneItems } from '../../../store/app/bookmarks.ts';
import type { BookmarkRecord } from '../../../store/app/owner-stores.ts';
import { facetKey } from '../../../store/details/facets.ts';
import { beginning } from '../../../text/surrogates.ts';
import { saidOf, splitTranscript } from '../../../text/turns.ts';
import { DONE, type AppHandlers } from '../call.ts';
import { findNewest } from './newest.ts';

/** The handlers of bookmarks, searches, companions and speakers. */
export const bookmarkHandlers: Pick<
  AppHandlers,
  'bookmarks' | 'searches' | 'lengths' | 'companions' | 'speakers'
> = {
  bookmarks: {
    list: async ({ store, reader }) => ({
      output: (await store.bookmarks.list(reader.account_id)).map(toEntry),
    }),
    set: async ({ store, reader: { account_id }, input: { id, is_starred, note, item } }) => {
      const changed = await store.bookmarks.change(
        { account_id, memory_id: id },
        {
          ...(is_starred !== undefined && { is_starred: Number(is_starred) }),
          ...(note !== undefined && { note: note.trim() }),
          item,
        },
      );
      if (changed) return { output: toEntry(changed) };
      throw new Failure(404, 'There is no memory with this id in your account; reload the list.');
    },
  },
  searches: {
    list: async ({ store, reader }) => ({
      output: (await store.searches.list(reader.account_id)).map(toJsonRecord),
    }),
    set: async ({ store, reader: { account_id }, input }) => {
      await store.searches.set({ account_id, ...input });
      return DONE;
    },
    months: async ({ app: { gateway }, request: { transport }, reader, input }) => {
      const caller = await gateway.callerOf(reader.account_id, undefined);
      return { output: await gateway.findByTime.months({ caller, transport }, input) };
    },
    newest: findNewest,
    lacked: async ({ app: { gateway }, request: { transport }, reader, input }) => {
      const { ids, ...search } = input;
      const caller = await gateway.callerOf(reader.account_id, undefined);
      return { output: await gateway.findByTime.lacked({ caller, transport }, search, ids) };
    },
  },
  lengths: {
    unknown: async ({ store, reader: { account_id }, input: { timezone } }) => {
      const dayOf = await dayReader(timezone);
      const quarters = await store.accounts.unmeasured(account_id);
      return { output: [...new Set(quarters.map((ms) => dayOf(new Date(ms).toISOString())))] };
    },
  },
  companions: {
    list: async ({ store, reader: { account_id }, input: { name } }) => ({
      output: await store.people.companions({ account_id, name }),
    }),
  },
  speakers: {
    list: async ({ store, reader: { account_id }, input: { ids } }) => ({
      output: await store.people.speakers({ account_id, ids }),
    }),
    said: async ({ app: { gateway }, reader: { account_id }, input: { memory_id, name } }) => {
      const api = gateway.as(account_id);
      const { text } = await api.memories.lines({ memory_id, max_tokens: MAX_TOKENS });
      return { output: mostSaid(text, name) };
    },
  },
};

/** How much of a transcript is looked through: 80 kB, which is about an hour and a half. */
const MAX_TOKENS = 20_000;

/** How many characters of somebody's words are shown: more than a row has room for. */
const MOST_SAID = 300;

/**
 * Returns the longest line of a person, with its number. A line without a speaker belongs to the turn before it, but may
 * be a note about what others do, so it counts only if no line with the name has words.
 */
function mostSaid(transcript: string, name: string) {
  const person = facetKey(name);
  let isTheirs = false;
  let most = { text: '', line: 0, isNamed: false };
  for (const [at, line] of splitTranscript(transcript).entries()) {
    const { speaker } = line;
    const isNamed = speaker !== undefined;
    if (isNamed) isTheirs = facetKey(speaker) === person;
    const text = isTheirs ? saidOf(line) : '';
    const isMore = isNamed === most.isNamed ? text.length > most.text.length : isNamed;
    if (text !== '' && isMore) most = { text, line: at + 1, isNamed };
  }
  return { text: beginning(most.text, MOST_SAID), line: most.line };
}

/** Returns a bookmark as the app has it. */
function toEntry({ memory_id, is_starred, note, changed_at, done_items }: BookmarkRecord) {
  return {
    ...toJsonRecord({ memory_id, note, changed_at }),
    is_starred: is_starred === 1,
    done_items: doneItems(done_items),
  };
}
