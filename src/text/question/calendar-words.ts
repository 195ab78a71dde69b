// Calendar words: months, weekdays and days such as yesterday, in seven languages, folded.

/** The months from January on, in en, de, es, fr, it, nl and pt. */
const MONTH_NAMES = [
  'january jan januar janner enero janvier gennaio januari janeiro',
  'february feb februar febrero fevrier febbraio februari fevereiro',
  'march mar marz maerz marzo mars maart marco',
  'april apr abril avril aprile',
  'may mai mayo maggio mei maio',
  'june jun juni junio juin giugno junho',
  'july jul juli julio juillet luglio julho',
  'august aug agosto aout augustus',
  'september sep sept septiembre septembre settembre setembro',
  'october oct oktober octubre octobre ottobre okt outubro',
  'november nov noviembre novembre novembro',
  'december dec dezember dez diciembre decembre dicembre dezembro',
];

/** Months that are other words or names as well: they count beside a day or a year, or behind one of `BEFORE_MONTHS`. */
const DOUBTFUL = new Set(
  'jan feb mar march mars marco apr april may mai mei jun jul juli julio june aug augustus agosto sep sept oct okt nov dec dez'.split(
    ' ',
  ),
);

/** Words before a month. */
export const BEFORE_MONTHS: ReadonlySet<string> = new Set(
  'in since during last im seit letzten en desde em di van'.split(' '),
);

/** A month by its number from 1. */
export interface Month {
  readonly number: number;
  readonly isDoubtful: boolean;
}

/** Months by their names. */
export const MONTHS: ReadonlyMap<string, Month> = byName(MONTH_NAMES, (index, name) => ({
  number: index + 1,
  isDoubtful: DOUBTFUL.has(name),
}));

/** Weekdays by their names, of which some are two words. Sunday is 0. */
export const WEEKDAYS: ReadonlyMap<string, number> = byName(
  [
    'sunday sonntag domingo dimanche domenica zondag',
    'monday montag lunes lundi lunedi maandag segunda-feira',
    'tuesday dienstag martes mardi martedi dinsdag terca-feira',
    'wednesday mittwoch miercoles mercredi mercoledi woensdag quarta-feira',
    'thursday donnerstag jueves jeudi giovedi donderdag quinta-feira',
    'friday freitag viernes vendredi venerdi vrijdag sexta-feira',
    'saturday samstag sonnabend sabado samedi sabato zaterdag',
  ],
  (index) => index,
);

/** How many days ago a word means. */
export const DAYS: ReadonlyMap<string, number> = byName(
  [
    'today heute hoy aujourd oggi vandaag hoje',
    'yesterday gestern ayer ieri gisteren ontem',
    'vorgestern anteayer eergisteren anteontem',
  ],
  (index) => index,
);

/** Yesterday in French, and "here" in German and Dutch. */
export const FRENCH_YESTERDAY = 'hier';

const CALENDAR_UNITS = ['day', 'week', 'month', 'year'] as const;

/** Parts of the calendar. */
export type CalendarUnit = (typeof CALENDAR_UNITS)[number];

/** Parts of the calendar by their English names. */
export const UNITS: ReadonlyMap<string, CalendarUnit> = new Map(
  CALENDAR_UNITS.flatMap((unit) => [[unit, unit] as const, [`${unit}s`, unit] as const]),
);

/** This week and the last one, and so on, in two words. */
export const THIS_AND_LAST: ReadonlyMap<string, readonly [unit: CalendarUnit, ago: number]> =
  new Map(
    Object.entries({
      week: [
        'this week|diese woche|esta semana|cette semaine|questa settimana|deze week',
        'last week|letzte woche|letzten woche|semana pasada|ultima semana|semaine derniere|settimana scorsa|ultima settimana|vorige week|afgelopen week|semana passada',
      ],
      month: [
        'this month|diesen monat|este mes|ce mois|questo mese|deze maand',
        'last month|letzten monat|mes pasado|ultimo mes|mois dernier|mese scorso|ultimo mese|vorige maand|afgelopen maand|mes passado',
      ],
      year: [
        'this year|dieses jahr|este ano|cette annee|quest anno|dit jaar',
        'last year|letztes jahr|letzten jahr|ano pasado|ultimo ano|annee derniere|an dernier|anno scorso|ultimo anno|vorig jaar|afgelopen jaar|ano passado',
      ],
    }).flatMap(([unit, names]) =>
      names.flatMap((some, ago) =>
        some.split('|').map((words) => [words, [unit as CalendarUnit, ago]] as const),
      ),
    ),
  );

/** Words that ask when something was. */
export const ASKS_WHEN: ReadonlySet<string> = new Set(
  'when wann cuando quand quando wanneer'.split(' '),
);

/** Verbs that follow "when" in a question. */
export const AUXILIARIES: ReadonlySet<string> = new Set(
  'did do does was were is are has have had will would can could should'.split(' '),
);

/** Words of lines that say when something was. */
export const TELLS_WHEN: ReadonlySet<string> = new Set([
  ...[...MONTHS].flatMap(([name, { isDoubtful }]) => (isDoubtful ? [] : [name])),
  ...WEEKDAYS.keys(),
  ...DAYS.keys(),
  ...UNITS.keys(),
  ...'ago last next tomorrow tonight weekend morning evening oclock'.split(' '),
]);

function byName<T>(names: readonly string[], valueOf: (index: number, name: string) => T) {
  return new Map(
    names.flatMap((some, index) =>
      some.split(' ').map((name) => [name, valueOf(index, name)] as const),
    ),
  );
}
