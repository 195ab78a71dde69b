// Moments and time zones: how a parameter says when, and by whose clock.

import * as v from 'valibot';

/** Checks a moment: an ISO 8601 instant with seconds and `Z` or an offset, or a date, of a day that exists. */
export const Moment = v.pipe(
  v.string(),
  // Spelt in both cases rather than with a flag, which the pattern of a JSON Schema cannot carry.
  v.regex(
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/,
  ),
  v.check(isOfRealDay, 'must be of a day that exists'),
  // A bare + in a query is a space: the slip that is made most.
  v.description(
    'an instant such as 2026-11-21T09:30:00Z or 2026-11-21T09:30:00+01:00 (in a query, + is written %2B), or a date such as 2026-11-21, of a day that exists',
  ),
);

/** Checks a time zone: an IANA name in any case, links among them, and never an offset. */
export const TimeZone = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/),
  v.check(isIana, 'must be the name of a time zone'),
  v.description('the name of an IANA time zone that exists, such as Europe/Berlin'),
);

/**
 * Names that ICU adds to those of IANA, and Intl takes with them: IST, PST and 23 more of three
 * letters that mean different zones to different people, and some long withdrawn. Temporal refuses them.
 */
const ICU_ALONE =
  /^(?:(?!CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)[A-Z]{3}|SystemV\/.*|US\/Pacific-New|Canada\/East-Saskatchewan)$/i;

function isOfRealDay(moment: string): boolean {
  const date = moment.slice(0, 10);
  const time = Date.parse(date);
  // Date.parse takes 30 February for 2 March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

function isIana(name: string): boolean {
  if (ICU_ALONE.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
