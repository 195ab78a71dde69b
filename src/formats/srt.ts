// SRT: subtitles, whose cues are numbered and have a comma in their times.

import { toDraft } from './captions.ts';
import { readCues, TIMING } from './cues.ts';
import type { TextFormat } from './format.ts';

/** SRT, and what else is cues without a word before them. */
export const srt: TextFormat = {
  name: 'srt',
  product: 'SubRip subtitles',
  begins: (head) => TIMING.test(head.replace(/^\d+\s*[\n\r]\s*/, '').split(/[\n\r]/, 1)[0] ?? ''),
  read: (text, about) => toDraft(readCues(text), about),
};
