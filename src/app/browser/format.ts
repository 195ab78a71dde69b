// Times and lengths as people read them. Pure functions, with the language and time zone as settings.

/** The language and the time zone of a reader. */
export interface Locale {
  readonly language: string;
  /** An IANA zone, such as `Europe/Berlin`. */
  readonly zone: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Creates the functions that format times. */
export function createFormats({ language, zone }: Locale) {
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { timeZone: zone, ...options });
    return (iso: string) => format.format(new Date(iso));
  };
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const isoDay = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const range = new Intl.DateTimeFormat(language, {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return {
    /** The day in the reader's zone, as `2026-11-18`. */
    dayOf: (iso: string) => isoDay.format(new Date(iso)),
    /** "Wednesday, 18 November 2026" */
    longDay: formatter({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    /** "17:42" */
    time: formatter({ hour: 'numeric', minute: '2-digit' }),
    /** "02:30 CEST" */
    zonedTime: formatter({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
    /** "Tue 3 Feb" */
    short: formatter({ weekday: 'short', day: 'numeric', month: 'short' }),
    /** "February" */
    month: formatter({ month: 'long' }),
    /** "Feb 2026" */
    monthOfYear: formatter({ month: 'short', year: 'numeric' }),
    /** "12–19 Aug 2026" */
    spanOfYear: (from: string, to: string) => range.formatRange(new Date(from), new Date(to)),
    /** "18 Nov 2026" */
    date: formatter({ day: 'numeric', month: 'short', year: 'numeric' }),
    /** "18 Nov 2026, 17:42" */
    moment: formatter({
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }),
    /** "4 minutes ago", "in 68 days" */
    fromNow: (iso: string, now: number) => {
      const ms = Date.parse(iso) - now;
      const size = Math.abs(ms);
      if (size < MINUTE) return ms > 0 ? 'in less than a minute' : 'just now';
      if (size < HOUR) return relative.format(Math.round(ms / MINUTE), 'minute');
      if (size < DAY) return relative.format(Math.round(ms / HOUR), 'hour');
      return relative.format(Math.round(ms / DAY), 'day');
    },
  };
}

/** Returns a number and what it counts, such as "1 memory" or "1,204 memories". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Returns a number of memories, such as "1 memory". */
export function countedMemories(count: number): string {
  return counted(count, 'memory', 'memories');
}

/** The language of a browser if it is a kind of English, as the texts are. Otherwise British English. */
export function languageOf(preferred: readonly string[]): string {
  return preferred.find((each) => each.startsWith('en')) ?? 'en-GB';
}
