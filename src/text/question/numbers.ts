// Numbers: the other way to write a number up to a hundred, 20 for twenty.

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
