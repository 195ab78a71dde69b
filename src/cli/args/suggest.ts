// Suggests the command or option that a mistyped word probably meant.

import { editDistance } from '../../text/edit-distance.ts';

/** Words that people try, and the names that mean the same here. */
export type Synonyms = Readonly<Record<string, string>>;

/** Names of what cannot be undone: they are suggested for a single typo, not for a word that is only alike. */
const FINAL =
  /(^|\s)(delete|disable|discard|forget|mirror|move|overwrite|restore|revoke|sign-out|yes)$/;

/** Returns the name that was probably meant: a synonym, a typo away, or the only one that starts like this. */
export function suggest(
  word: string,
  names: readonly string[],
  synonyms: Synonyms = {},
): string | undefined {
  const typed = word.toLowerCase();
  const synonym = Object.hasOwn(synonyms, typed) ? synonyms[typed] : undefined;
  if (synonym !== undefined && names.includes(synonym)) return synonym;
  const most = Math.ceil(typed.length / 4);
  const [nearest] = names
    .map((name) => ({ name, typos: editDistance(typed, name, FINAL.test(name) ? 1 : most) }))
    // One typo makes any letter of any other.
    .filter(({ typos }) => typos < typed.length)
    .toSorted((a, b) => a.typos - b.typos);
  if (nearest !== undefined && nearest.typos <= most) return nearest.name;
  const [only, ...others] = names.filter((name) => typed.length > 1 && name.startsWith(typed));
  return others.length === 0 ? only : undefined;
}
