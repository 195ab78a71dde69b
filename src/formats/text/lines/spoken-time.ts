// Reads times in words, as pages have them for screen readers: `1 minute 3 seconds`.

import type { NamedGroups } from './plain-lines.ts';

const HOURS = 'hours?|Stunden?|heures?|horas?|or[ae]|uur';
const MINUTES = 'minutes?|Minuten?|minutos?|minut[io]|minuut|minuten';
const SECONDS = 'seconds?|Sekunden?|secondes?|segundos?|second[io]|seconden';

/** `1 minute 3 seconds`, as Teams' page has it, in the languages of the page. */
export const SPOKEN_TIME = String.raw`(?:(?<h>\d{1,2}) (?:${HOURS}) )?(?:(?<m>\d{1,2}) (?:${MINUTES}) )?(?<s>\d{1,2}) (?:${SECONDS})`;

/** Returns the seconds of a spoken time. */
export function spokenSeconds({ h = '0', m = '0', s = '0' }: NamedGroups): number {
  return Number(h) * 3600 + Number(m) * 60 + Number(s);
}

/** A time in words alone on its line, as YouTube's page has it for screen readers: `1 minute, 3 seconds`. */
const IN_WORDS = new RegExp(
  String.raw`^(?:(?<h>\d{1,2}) (?:${HOURS}))?(?:(?:^|,? )(?<m>\d{1,2}) (?:${MINUTES}))?(?:(?:^|,? )(?<s>\d{1,2}) (?:${SECONDS}))?$`,
  'u',
);

/** Whether a line is the given time in words. */
export function isInWords(line: string, seconds: number | undefined): boolean {
  const groups = line === '' ? undefined : IN_WORDS.exec(line)?.groups;
  return groups !== undefined && spokenSeconds(groups) === seconds;
}
