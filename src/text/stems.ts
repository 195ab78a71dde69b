// Stems: the forms in which an English word occurs, such as talk, talks and talking, or 20 and twenty.

import { stemmer } from 'stemmer';

/** Words with one meaning whose forms have no common stem. */
const IRREGULAR =
  'be am is are was were been being|become became|begin began begun|bite bit bitten|blow blew blown|break broke broken|bring brought|build built|buy bought|catch caught|child children|choose chose chosen|come came|cost costs|cut cuts|deal dealt|dig dug|do does did done|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown flies|foot feet|forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|go goes went gone|grow grew grown|have has had|hear heard|hide hid hidden|hold held|keep kept|know knew known|lead led|leave left|lend lent|life lives|lose lost|make made|man men|mean meant|meet met|mouse mice|pay paid|person people|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|shake shook shaken|shoot shot|show shown|sing sang sung|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|steal stole stolen|swim swam swum|take took taken|teach taught|tell told|think thought|throw threw thrown|tooth teeth|understand understood|wake woke woken|wear wore worn|win won|woman women|write wrote written';

const irregular = new Map(
  IRREGULAR.split('|').flatMap((group) => {
    const words = group.split(' ');
    return words.map((word) => [word, words] as const);
  }),
);

const SUFFIXES =
  ' s es d ed ing ings r er ers or ors e y ies ied ier iest ily iness ly ness ment ments able ible ably ability abilities ance ances ence ences ant ants ent ents ation ations ate ates ated ating ator ators ion ions ional ionally ional ive ives ively ization izations ize izes ized izing izer ise ises ised ising al als ally ality ity ities ful fully less ism ist ists ous ously ic ics ical ically est'.split(
    ' ',
  );

/** Shorter stems have too many words that only look alike. */
const MIN_STEM = 3;

/** How the words of a language are stemmed, and where their forms come from. */
export interface Stemming {
  readonly stemOf: (word: string) => string;
  /** What the forms of a word may begin with, given its stem. */
  readonly basesOf: (stem: string, word: string) => readonly string[];
  readonly endings: readonly string[];
}

const ENGLISH: Stemming = {
  stemOf: stemmer,
  basesOf: (stem) => {
    const doubled = stem + stem.slice(-1); // plan, planning
    return /[ie]$/.test(stem) ? [stem, doubled, stem.slice(0, -1)] : [stem, doubled];
  },
  endings: SUFFIXES,
};

/**
 * Returns the English forms of a folded word, itself first: those that Porter's stemmer gives the same
 * stem. A word that is no plain letters, or very short, has only itself.
 */
export function formsOf(word: string): readonly string[] {
  if (!isStemmed(word)) return [word];
  // The stem of a regular form of an irregular verb is its base: buys, buying → buy.
  const group = irregular.get(word) ?? irregular.get(stemmer(word)) ?? [word];
  return [...new Set([word, ...group.flatMap((one) => [one, ...formsWith(one, ENGLISH)])])];
}

function isStemmed(word: string): boolean {
  return /^[a-z]{3,40}$/.test(word);
}

/** Returns the words with the same stem as a folded word in some language. It may be among them. */
export function formsWith(word: string, { stemOf, basesOf, endings }: Stemming): string[] {
  const stem = isStemmed(word) ? stemOf(word) : '';
  if (stem.length < MIN_STEM) return [];
  return basesOf(stem, word).flatMap((base) =>
    endings.flatMap((ending) => (stemOf(base + ending) === stem ? [base + ending] : [])),
  );
}

/** Returns the longest beginning that all forms of a word have. */
export function commonPrefix(words: readonly string[]): string {
  let [prefix = ''] = words;
  for (const word of words) while (!word.startsWith(prefix)) prefix = prefix.slice(0, -1);
  return prefix;
}

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** The English words of each number. "One" is a pronoun more often, so 1 has none. */
const NUMBERS: readonly (readonly string[])[] = [
  ...UNITS.map((word) => (word === 'one' ? [] : [word])),
  ...TENS.flatMap((ten) => UNITS.slice(0, 10).map((unit, i) => (i === 0 ? [ten] : [ten, unit]))),
  ['hundred'],
];

const byWords = new Map(
  NUMBERS.flatMap((words, number) =>
    words.length === 0 ? [] : [[words.join(' '), String(number)] as const],
  ),
);

/** Returns how a number of one word or two is written otherwise: 28 for twenty-eight, and the reverse. */
export function otherNumber(words: readonly string[]): readonly string[] | undefined {
  const digits = byWords.get(words.join(' '));
  if (digits !== undefined) return [digits];
  const [word = ''] = words;
  const named = words.length === 1 && /^(\d|[1-9]\d|100)$/.test(word) ? NUMBERS[Number(word)] : [];
  return named === undefined || named.length === 0 ? undefined : named;
}
