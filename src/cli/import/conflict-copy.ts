// Recognises conflict copies by their names, which synchronising programs give to the second version of a file.

/** `talk.sync-conflict-20261118-090000-ABCDEFG.vtt`, `talk (Mira's conflicted copy 2026-11-20).vtt` and `talk_conflict-20261120-090000.vtt`. */
const CONFLICT =
  /\.sync-conflict-\d{8}-\d{6}(?:-\w{7})?(?=\.|$)|_conflict-\d{8}-\d{6}(?=\.|$)|\s?[([][^()[\]/]*(?:conflict(?:ed)? copy|case conflict|SFConflict|konflikt\w* (?:stehende )?kopie|copie en conflit|copia en conflicto|copia in conflitto|c[óo]pia em conflito|conflicterende kopie)[^()[\]/]*[)\]]/giu;

/** Whether a file is the second version of another one. */
export function isConflictCopy(name: string): boolean {
  return withoutConflict(name) !== name;
}

/** Removes what such programs add to a name: it has the date of the conflict, not of the recording. */
export function withoutConflict(name: string): string {
  return name.replaceAll(CONFLICT, '');
}
