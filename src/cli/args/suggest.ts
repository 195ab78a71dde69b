// Suggests the command or option that a mistyped word probably meant.

import leven from 'leven';

/** Words that people try, and the names that mean the same here. */
export type Synonyms = Readonly<Record<string, string>>;

/** Returns the name that was probably meant: a synonym, a typo away, or the only one that starts like this. */
export function suggest(
  word: string,
  names: readonly string[],
  synonyms: Synonyms = {},
): string | undefined {
  const typed = word.toLowerCase();
  const synonym = Object.hasOwn(synonyms, typed) ? synonyms[typed] : undefined;
  if (synonym !== undefined && names.includes(synonym)) return synonym;
  const [nearest] = names
    .map((name) => ({ name, typos: countTypos(typed, name) }))
    .toSorted((a, b) => a.typos - b.typos);
  if (nearest !== undefined && nearest.typos <= Math.ceil(typed.length / 4)) return nearest.name;
  const [only, ...others] = names.filter((name) => typed.length > 1 && name.startsWith(typed));
  return others.length === 0 ? only : undefined;
}

/** Counts swapped letters as one typo, which is the commonest: `prot` is nearer to `port` than to `proxy`. */
function countTypos(typed: string, name: string): number {
  const isSwapped = typed !== name && sortLetters(typed) === sortLetters(name);
  return isSwapped ? 1 : leven(typed, name);
}

function sortLetters(word: string): string {
  return Array.from(word).toSorted().join('');
}
