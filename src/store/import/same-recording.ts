// Decides whether a file and a stored memory are the same recording.

import type { ReadDetails } from '../../contract/schemas/details.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { speakerOf } from '../../text/speaker.ts';
import { wordsOf } from '../../text/tokenizer.ts';

/** What a file says of itself if its content states no id. */
export interface FileIdentity {
  /** Ids for a name that another recording has already: with the names of more and more folders. */
  readonly otherIds: readonly string[];
  /** Ids of the files that a program writes beside it, of the same recording in other formats. */
  readonly siblingIds?: readonly string[] | undefined;
  /** Whether the memory starts when the file was last modified, because nothing says when it was recorded. */
  readonly isDated: boolean;
}

/** Returns whether a stored memory is the same recording: the same start, the same words, or, for files, half of the lines. */
export function isSameRecording(
  old: Partial<Memory>,
  { started_at, transcript }: Memory,
  file: FileIdentity | undefined,
): boolean {
  if (old.transcript === transcript && (transcript !== '' || file !== undefined)) return true;
  // Two files can have been written in the same millisecond.
  if (old.started_at === started_at && file?.isDated !== true) return true;
  return file !== undefined && shareOfLines(old.transcript ?? '', transcript) >= 0.5;
}

/** Returns whether two texts have the same words, whoever says them and however they are divided into lines. */
export function haveSameWords(a: string, b: string): boolean {
  const words = saidWords(a);
  return words !== '' && words === saidWords(b);
}

/**
 * Returns whether no other recording has the same bytes: it has two lines with times, or twenty words. What is
 * shorter may be said twice, or be heard by a recogniser where nobody speaks.
 */
export function isUnmistakable(
  { transcript }: Memory,
  { line_starts_ms }: Pick<ReadDetails, 'line_starts_ms'>,
): boolean {
  const times = line_starts_ms?.filter((start) => start !== null) ?? [];
  return times.length >= 2 || wordsOf(transcript).length >= 20;
}

/** Returns the words of a transcript, folded, with a space between them and without who says them. */
export function saidWords(transcript: string): string {
  const said = transcript
    .split('\n')
    .map((line) => line.slice((speakerOf(line)?.length ?? -1) + 1))
    .join('\n');
  return wordsOf(said).join(' ');
}

/** How many lines of the shorter text are in the longer one, as a share. */
function shareOfLines(a: string, b: string): number {
  return a === '' || b === '' ? 0 : shareOf(new Set(a.split('\n')), new Set(b.split('\n')));
}

/** Returns how much of the smaller set is in the other one, from 0 to 1. Neither may be empty. */
export function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.intersection(b).size / Math.min(a.size, b.size);
}
