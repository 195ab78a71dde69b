// A memory as a file of captions or of text with times, under a name from which an import takes its start.

import { memoryPath } from '../markdown/filename.ts';
import { toSrt, toTimedText, toVtt, type TimedTranscript } from './write.ts';

const WRITERS = { vtt: toVtt, srt: toSrt, txt: toTimedText } as const;

/** The formats of such files, which are the ends of their names. */
export type CaptionFormat = keyof typeof WRITERS;

/** A memory with the times of its lines. */
export interface TimedMemory extends TimedTranscript {
  readonly id: string;
  readonly name: string;
  readonly started_at: string;
}

/** How the file is made. */
export interface CaptionFileOptions {
  readonly format: CaptionFormat;
  /** Whether another file has a name. */
  readonly isTaken: (name: string) => boolean;
}

/** Returns the path and the text of the file. Undefined: captions need times, and a text needs words. */
export function captionFile(
  { id, name: title, started_at, ...timed }: TimedMemory,
  { format, isTaken }: CaptionFileOptions,
): { readonly name: string; readonly text: string } | undefined {
  const text = WRITERS[format](timed);
  if (text === undefined) return undefined;
  const before = `${started_at.slice(0, 19).replace('T', ' ').replaceAll(':', '.')}Z `;
  return { name: memoryPath({ id, title, before, ending: `.${format}` }, isTaken), text };
}
