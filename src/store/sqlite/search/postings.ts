// Postings on SQLite: which memories have which terms, looked up week by week, and the words of an account.

import type { Database } from 'better-sqlite3';

import { LAST_MOMENT } from '../../../lib/time.ts';
import { prefixTerms } from '../../search/index-terms.ts';
import type { Postings, Sought, Vocabulary, VocabularyRange } from '../../search/postings.ts';
import { TEXT_BYTES, textsOf, toVocabulary, withoutDamage } from '../../search/vocabulary.ts';
import { startOfWeek, weekOf } from '../../search/weeks.ts';
import { readSql } from '../../sql/migrations.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import type { SyncStore } from '../../store.ts';
import { facetOrder } from '../details/facet-order.ts';
import { prepareColumn, prepareOn } from '../statements.ts';
import { allowedReads } from './allowed.ts';
import { lookUpOf } from './look-ups.ts';
import { anyMatch, matchExpression, nearestWeek, searchSteps } from './search.ts';

/** How long a read takes before it returns what it has. One week is read in one go. */
const TURN_MS = 2;

const matches = query((slot: Slot<{ match: string }>) =>
  build.selectFrom('search').select('rowid').where('search', 'match', slot('match')),
);

/** How many words are read at a time. A week can have ten thousand. */
const WORDS = 2000;

const wordsBetween = query((slot: Slot<{ low: string; high: string }>) =>
  build
    .selectFrom('search_vocabulary')
    .select(['term', 'doc'])
    .where('term', '>=', slot('low'))
    .where('term', '<', slot('high'))
    .orderBy('term')
    .limit(WORDS),
);

interface Weeks {
  readonly account_id: string;
  readonly first: number;
  readonly last: number;
}

/** How many weeks are prepared at a time. Measured with 400 memories a week: 16 hold the event loop for up to 14 ms. */
const WEEKS = 8;

const weeksBetween = query((slot: Slot<Weeks>) =>
  inWeeks(slot).select(['week', 'label']).limit(WEEKS),
);

/** The words of weeks that begin alike. The CROSS JOIN opens the vocabulary once: for each week it takes 15 µs. */
const wordsOfWeeks = query((slot: Slot<Weeks & { readonly low: string; readonly high: string }>) =>
  inWeeks(slot)
    .crossJoin('search_vocabulary')
    .select(['label', 'term'])
    .where((eb) => {
      const termOf = (name: 'low' | 'high') =>
        eb.fn<string>('format', [eb.val('%d_%s'), 'label', eb.val(slot(name))]);
      return eb.and([eb('term', '>=', termOf('low')), eb('term', '<', termOf('high'))]);
    }),
);

function inWeeks(slot: Slot<Weeks>) {
  return build
    .selectFrom('search_weeks')
    .where('account_id', '=', slot('account_id'))
    .where('week', '>=', slot('first'))
    .where('week', '<=', slot('last'))
    .orderBy('week', 'desc');
}

/** Greater than any character of a word, and less than any. */
const AFTER_ALL = '\u{10FFFF}';
const NEXT = '\u0001';

/** The synchronous reads of the index for a ranked search. */
export type SyncSearchReads = Pick<SyncStore, 'postings' | 'vocabulary'>;

/** Creates the reads of the index for a ranked search on a connection, outside of a transaction. */
export function searchReads(db: Database, { items }: Pick<SyncStore, 'items'>): SyncSearchReads {
  db.pragma('query_only = OFF'); // the file stays read-only; this table is temporary
  db.exec(readSql('sqlite', 'temporary/search-vocabulary.sql'));
  db.pragma('query_only = ON');
  const held = {
    week: prepareOn(db, nearestWeek.desc),
    any: prepareOn(db, anyMatch),
    matches: prepareColumn(db, matches),
    words: prepareOn(db, wordsBetween),
    weeks: prepareOn(db, weeksBetween),
    wordsOfWeeks: prepareOn(db, wordsOfWeeks),
  };
  const allowedIn = allowedReads(db);
  const rarestFirst = facetOrder(db);

  return {
    postings(given) {
      const { account_id, started_after = -LAST_MOMENT, facets } = given;
      const range = { ...given, facets: facets && rarestFirst(account_id, facets) };
      const find = finderOf(range.sought);
      const ends = performance.now() + TURN_MS;
      const weeks: Postings['weeks'][number][] = [];
      const first = weekOf(started_after);
      let end = range.before?.started_at ?? range.started_before ?? LAST_MOMENT;
      while (end > started_after) {
        const some = held.weeks.all({ account_id, first, last: weekOf(end - 1) });
        const last = some.at(-1);
        if (last === undefined) break;
        find.prepare({ account_id, first: last.week, last: weekOf(end - 1) });
        for (const { week, label } of some) {
          const start = startOfWeek(week);
          const rowids = find.inWeek(label);
          if (rowids.length > 0) {
            const from = Math.max(start, started_after);
            const allowed = allowedIn(range, from, Math.min(startOfWeek(week + 1), end));
            const keys = allowed === undefined ? rowids : rowids.filter((key) => allowed.has(key));
            if (keys.length > 0) weeks.push({ start, keys });
          }
          end = start;
          if (performance.now() > ends) return { weeks, rest: { started_at: end, id: '' } };
        }
      }
      return { weeks, rest: undefined };
    },
    vocabulary: (range: VocabularyRange): Vocabulary => {
      // The index knows words by their week, not by the facets of their memories.
      if (range.facets !== undefined) return wordsOfTexts(range);
      const { account_id, prefix, before: position, started_after = -LAST_MOMENT } = range;
      const { mostWords, mostPostings } = range;
      const ends = performance.now() + TURN_MS;
      const words: string[] = [];
      let postings = 0;
      let before = position?.started_at ?? range.started_before ?? LAST_MOMENT;
      let after = position?.id ?? '';
      for (;;) {
        const found = held.week.get({ account_id, week: weekOf(before - 1) });
        if (found === undefined || found.week < weekOf(started_after))
          return { words, postings, rest: undefined };
        const start = `${found.label}_`;
        const low = after > prefix ? after + NEXT : prefix;
        const some = held.words.all({ low: start + low, high: start + prefix + AFTER_ALL });
        for (const { term, doc } of some) {
          if (term === start) continue;
          const word = term.slice(start.length);
          words.push(word);
          postings += doc;
          if (words.length >= mostWords || postings >= mostPostings)
            return { words, postings, rest: { started_at: before, id: word } };
        }
        after = some.length < WORDS ? '' : (words.at(-1) ?? '');
        if (after === '') before = startOfWeek(found.week);
        if (performance.now() > ends)
          return { words, postings, rest: { started_at: before, id: after } };
      }
    },
  };

  function wordsOfTexts(range: VocabularyRange): Vocabulary {
    try {
      const texts = textsOf(range);
      return toVocabulary(range, texts && items(texts, TEXT_BYTES));
    } catch (error) {
      return toVocabulary(range, withoutDamage(error));
    }
  }

  /** Returns how the memories of a week are found, once that week is prepared. */
  function finderOf(sought: Sought): Finder {
    if ('all' in sought) {
      const steps = searchSteps(sought.all);
      return {
        prepare: () => {},
        inWeek: (label) =>
          steps.every((some) => held.any.get({ match: matchExpression(label, some) }) !== undefined)
            ? held.matches({ match: matchExpression(label, sought.all) })
            : [],
      };
    }
    const { word, families, sequences } = lookUpOf(sought.any);
    const always = [...(word === undefined ? [] : [[word]]), ...sequences];
    let forms = new Map<number, string[][]>();
    return {
      prepare(weeks) {
        forms = new Map();
        for (const { prefix, words } of families)
          for (const found of held.wordsOfWeeks.all({
            ...weeks,
            low: prefix,
            high: prefix + AFTER_ALL,
          })) {
            const form = found.term.slice(found.term.indexOf('_') + 1);
            if (!words.has(form)) continue;
            const known = forms.get(found.label);
            if (known === undefined) forms.set(found.label, [[form]]);
            else known.push([form]);
          }
      },
      inWeek(label) {
        const some = [...always, ...(forms.get(label) ?? [])];
        if (some.length === 0) return [];
        const match = some.map((words) => `"${prefixTerms(`${label}_`, words)}"`).join(' OR ');
        return held.matches({ match });
      },
    };
  }
}

/** Finds the memories of a week. */
interface Finder {
  /** Looks up what all these weeks need. */
  readonly prepare: (weeks: Weeks) => void;
  readonly inWeek: (label: number) => readonly number[];
}
