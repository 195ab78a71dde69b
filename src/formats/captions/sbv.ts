// The SubViewer format: captions of YouTube and Google Meet, with both times of a cue on one line.

import type { TextFormat } from '../format.ts';
import { readCaptions } from './captions.ts';

const TIME = String.raw`\d{1,3}:\d\d:\d\d\.\d{1,3}`;
const TIMING = new RegExp(String.raw`^\s*(${TIME}),(${TIME})\s*$`);

/** SubViewer, and any other file that begins with such a line. */
export const sbv: TextFormat = {
  name: 'sbv',
  product: 'SubViewer captions of YouTube and Google Meet',
  matches: (head) => TIMING.test(head.split(/[\n\r]/, 1)[0] ?? ''),
  readLines: (about) => {
    const { add, end } = readCaptions(about);
    // The times as WebVTT has them.
    return { add: (line) => add(line.replace(TIMING, '$1 --> $2')), end };
  },
};
