// The lines of a transcript with their speakers, and where turns begin.

import { speakerOf } from './speaker.ts';

/** A line of a transcript. */
export interface TranscriptLine {
  /** The whole line. */
  readonly text: string;
  /** The speaker, if the line begins with one. */
  readonly speaker: string | undefined;
}

/** Splits a transcript into lines with their speakers. */
export function splitTranscript(transcript: string): TranscriptLine[] {
  if (transcript === '') return [];
  return transcript.split('\n').map((text) => ({ text, speaker: speakerOf(text) }));
}

/** Counts the lines of a transcript. */
export function countLines(transcript: string): number {
  if (transcript === '') return 0;
  let lines = 1;
  // To split a long one would take several times its memory.
  for (let at = transcript.indexOf('\n'); at !== -1; at = transcript.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Returns what is said in a line, without its speaker and the space around it. */
export function saidOf({ text, speaker }: TranscriptLine): string {
  return text.slice(speaker === undefined ? 0 : speaker.length + 1).trim();
}

/** Returns whether a turn begins at a line, counted from 1. */
export function beginsTurn(lines: readonly TranscriptLine[], number: number): boolean {
  const speaker = lines[number - 1]?.speaker;
  return speaker !== undefined && lines[number - 2]?.speaker !== speaker;
}
