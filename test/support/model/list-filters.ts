// The filters of a list, as they are sent and as the model reads them.

import type { Account, ListQuery, Term } from './model.ts';
import { ZONES, type Bound, type Filters, type SearchTerm } from './steps.ts';
import { respell } from './vocabulary.ts';

const MINUTE = 60_000;

/** A list request: its query string, and the same filters for the model. */
export interface Asked {
  readonly sent: URLSearchParams;
  readonly meant: ListQuery;
}

/** Formats filters. Search words come from the account's current memories. */
export function ask(filters: Filters, account: Account): Asked {
  const { order, from, to, zone, is_processing, q, fields } = filters;
  const found = q?.terms.map((each) => spellTerm(each, account));
  const open = q?.open;
  if (open) found?.push(whole(`"${open.spelling}`, open.words)); // a quote that is not closed has no effect
  const all = {
    order,
    started_after: from && spellBound(from, zone).sent,
    started_before: to && spellBound(to, zone).sent,
    timezone: zone,
    is_processing: is_processing?.toString(),
    q: found?.map(({ sent }) => sent).join(' '),
    fields: fields?.join(','),
  };
  return {
    sent: new URLSearchParams(
      Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
    meant: {
      order: order ?? 'desc',
      from: from && spellBound(from, zone).ms,
      to: to && spellBound(to, zone).ms,
      is_processing,
      terms: found?.flatMap(({ term }) => term ?? []),
      fields,
    },
  };
}

interface SpeltBound {
  readonly sent: string;
  readonly ms: number;
}

function spellBound(bound: Bound, zone = 'UTC'): SpeltBound {
  if (bound.bound === 'instant') return spellInstant(bound);
  const ms = Date.UTC(2026, 2, bound.day);
  const ahead = ZONES[zone] as (day: number) => number;
  return { sent: new Date(ms).toISOString().slice(0, 10), ms: ms - ahead(bound.day) * MINUTE };
}

function spellInstant({ time, style }: Extract<Bound, { bound: 'instant' }>): SpeltBound {
  const ms = Date.parse(time);
  const isNear = time.startsWith('2026'); // elsewhere, local time may be in the year 10000
  const ahead = isNear ? new Date(ms + 120 * MINUTE).toISOString().replace('Z', '+02:00') : time;
  const styles = {
    plain: time,
    fine: time.replace('Z', '999Z'),
    lower: time.toLowerCase(),
    offset: ahead,
  };
  return { sent: styles[style], ms };
}

interface SpeltTerm {
  readonly sent: string;
  readonly term?: Term;
}

type TermOf<K> = Extract<SearchTerm, { term: K }>;

const TERMS: {
  readonly [K in SearchTerm['term']]: (term: TermOf<K>, account: Account) => SpeltTerm;
} = {
  word: ({ piece, before, behind }) => whole(before + piece.spelling + behind, piece.words),
  phrase: ({ text, end }) => whole(`"${text.spelling}${end}"`, text.words),
  beginning: ({ piece, before }) => ({
    sent: `${before}${piece.spelling}*`,
    term: { words: piece.words, isBeginning: true },
  }),
  nothing: ({ text }) => ({ sent: text }),

  // Picks words that follow each other in a memory, sometimes from the end of one text to the start
  // of the next, where a phrase must not match.
  seen({ memory, start, length, way }, account) {
    const all = Array.from(account.kept.values());
    const texts = all[memory % all.length]?.texts ?? [];
    const every = texts.flatMap((text) => text.words);
    const from = start % Math.max(1, every.length);
    const words = every.slice(from, from + length);
    return words.length === 0 ? { sent: '""' } : whole(`"${respell(words, way)}"`, words);
  },
};

function spellTerm(term: SearchTerm, account: Account): SpeltTerm {
  const spell = TERMS[term.term] as (term: SearchTerm, account: Account) => SpeltTerm;
  return spell(term, account);
}

function whole(sent: string, words: readonly string[]): SpeltTerm {
  return { sent, term: { words, isBeginning: false } };
}
