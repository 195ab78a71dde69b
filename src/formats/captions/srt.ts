// The SRT format: subtitles with numbered cues and a comma in their times.

import type { TextFormat } from '../format.ts';
import { readCaptions } from './captions.ts';
import { TIMING } from './cues.ts';

/** SRT, and any other file that begins with a cue. */
export const srt: TextFormat = {
  name: 'srt',
  product: 'SubRip subtitles',
  matches: (head) => TIMING.test(head.replace(/^\d+\s*[\n\r]\s*/, '').split(/[\n\r]/, 1)[0] ?? ''),
  readLines: (about) => readCaptions(about),
};
