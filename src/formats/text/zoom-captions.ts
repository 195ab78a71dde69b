// The captions that Zoom saves on a computer: `[Name] 10:00:05`, then the words.

import { CLOCK, toSecondsOfDay } from './clock.ts';
import { filledLines, toTextFormat, type LineMeaning } from './dialect.ts';
import { dateByClock, readFolder } from './zoom-folder.ts';

/** The name can have brackets of its own. */
const HEADER = new RegExp(String.raw`^\[(?<speaker>.{1,200})\] (?<clock>${CLOCK})$`, 'u');

/** Zoom's `meeting_saved_closed_caption.txt` and `closed_caption.txt`. */
export const zoomCaptions = toTextFormat({
  name: 'zoom-captions',
  product: 'captions that Zoom saves on your computer',
  matches: (head) => HEADER.test(filledLines(head)[0] ?? ''),
  readHead: (_, { about }) => readFolder(about),
  readLine: (line): LineMeaning | undefined => {
    const { speaker, clock } = HEADER.exec(line.trim())?.groups ?? {};
    if (speaker === undefined || clock === undefined) return undefined;
    return { is: 'turn', speaker, seconds: toSecondsOfDay(clock) };
  },
  date: dateByClock,
});
