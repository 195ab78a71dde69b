// Schemas of date, time and time zone parameters.

import * as v from 'valibot';

/** An ISO 8601 instant with seconds and `Z` or an offset, or a date. The day must exist. */
export const Moment = v.pipe(
  v.string(),
  // Lists both cases of "T" and "Z", because a JSON Schema pattern has no flags.
  v.regex(
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/,
  ),
  v.check(isOfRealDay, 'must be of a day that exists'),
  // An unescaped + in a query is a space. It is the most common mistake here.
  v.description(
    'an instant such as 2026-11-21T09:30:00Z or 2026-11-21T09:30:00+01:00 (in a query, + is written %2B), or a date such as 2026-11-21, of a day that exists',
  ),
);

/** An IANA time zone in any case, links included. Offsets are not allowed. */
export const TimeZone = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/),
  v.check(isIana, 'must be the name of a time zone'),
  v.description('the name of an IANA time zone that exists, such as Europe/Berlin'),
);

/**
 * Names that ICU adds to the IANA names, and that Intl accepts: withdrawn names, and IST, PST and 23
 * more with three letters that mean different zones to different people. Temporal rejects them.
 */
const ICU_ONLY =
  /^(?:(?!CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)[A-Z]{3}|SystemV\/.*|US\/Pacific-New|Canada\/East-Saskatchewan)$/i;

function isOfRealDay(moment: string): boolean {
  const date = moment.slice(0, 10);
  const time = Date.parse(date);
  // Date.parse reads 30 February as 2 March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

function isIana(name: string): boolean {
  if (ICU_ONLY.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
