// Says why a file is of no form, and what to do about it.

import { firstOfTurns } from './text/named-text.ts';

/** Captions that are not read: programs that edit subtitles and YouTube write them. */
const OTHER_CAPTIONS = /\.(?:ass|ssa|ttml|dfxp|srv[1-3]|sub|smi|stl)$/i;

/** The reason to reject a file that is of no form at all. */
export const NO_FORMAT =
  'it is neither JSON, captions nor a transcript of a known form; see "help import" for what is read';

/** Returns why a file is not read, and what to do if its name or its beginning says what it is. */
export function reasonOfUnknown(name: string, start: string): string {
  if (/\.[ct]sv$/i.test(name))
    return 'it is a table without known columns; name them start, end, speaker and text if its rows are what was said, or pass --format csv, with --map, if each row is a memory';
  if (OTHER_CAPTIONS.test(name))
    return 'it has captions in a form that is not read; save it as .srt or .vtt, for example with Subtitle Edit';
  const speaker = firstOfTurns(start);
  if (speaker === undefined) return NO_FORMAT;
  return `it has lines such as "${speaker}: …", but may be a list; a conversation has three turns or more, names that come back, and signs such as a full stop after most turns; otherwise begin each turn with a time, as in "[00:00:00] ${speaker}: …"`;
}
