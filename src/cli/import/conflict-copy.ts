// Recognises conflict copies by their names, which synchronising programs give to the second version of a file.

// Syncthing, Nextcloud, Synology Drive, Resilio Sync, Proton Drive, and OneDrive with the name that Windows gives to a
// computer: `talk.sync-conflict-20261118-090000-ABCDEFG.vtt`, `talk_conflict-20261120-090000.vtt`,
// `talk_Office_Nov-20-0900-2026_Conflict.vtt`, `talk.Conflict.vtt`, `talk-DESKTOP-7A2B9CD.vtt`.
const ENDINGS = [
  String.raw`[._-](?:sync-)?conflict(?:[_-]copy)?-\d{8}(?:-?\d{6})?(?:-\w{4,8})?`,
  String.raw`_[^_/]+_[a-z]{3}-\d\d-\d{4,6}-\d{4}_(?:Case)?Conflict`,
  String.raw`\.Conflict|-(?:DESKTOP|LAPTOP)-(?=[A-Z]*\d)[A-Z\d]{7,8}`,
  String.raw` ?# Name clash [^#/]+#`,
];

// Dropbox in the languages that it has, Nextcloud, Seafile, Obsidian: `talk (Mira's conflicted copy 2026-11-20).vtt`.
// Without String.raw where there is a character beyond ASCII, which the build writes as an escape.
const IN_BRACKETS = [
  String.raw`conflict(?:ed|ing)? (?:copy|version)|conflicted(?=[)\]])|conflict #?\d|SFConflict|(?<=\[)conflict(?=\])`,
  String.raw`(?:case|unicode encoding|selective sync|white ?space) conflict|case clash`,
  String.raw`konflikt\w* (?:stehende )?kopi[ea]|conflicterende kopie|mo[dt]stridende kopi`,
  'kopia powodująca konflikt|copie en conflit|copia en conflicto|copia in conflitto|c[óo]pia em conflito',
  'конфликтующая копия|競合コピー|(?:冲突|衝突)的?(?:副本|複本)|충돌',
];

const CONFLICT = new RegExp(
  String.raw`(?:${ENDINGS.join('|')})(?=\.|$)|\s?[([][^()[\]/]*(?:${IN_BRACKETS.join('|')})[^()[\]/]*[)\]]`,
  'giu',
);

/** Whether a file is the second version of another one. */
export function isConflictCopy(name: string): boolean {
  return withoutConflict(name) !== name;
}

/** Removes what such programs add to a name: it has the date of the conflict, not of the recording. */
export function withoutConflict(name: string): string {
  return name.replaceAll(CONFLICT, '');
}
