// The captions that Zoom saves on a computer: `[Name] 10:00:05`, then the words.

import type { WholeTextFormat } from '../../format.ts';
import { CLOCK, toSecondsOfDay } from '../lines/clock.ts';
import { dateByClock } from '../lines/date-by-clock.ts';
import { readTranscript } from '../lines/dialect.ts';
import { filledLines, plainText, SAMPLE } from '../lines/plain-lines.ts';
import { namedAs, readFolder } from './zoom-folder.ts';

/** The name can have brackets of its own. */
const HEADER = new RegExp(String.raw`^\[(?<speaker>.{1,200})\] (?<clock>${CLOCK})$`, 'u');
/** `16:02:22 Just a moment.`, as older programs write it. */
const NAMELESS = new RegExp(String.raw`^(?<clock>${CLOCK})\s+(?<text>\S[^]*)$`, 'u');
/** The name of a file without names of speakers. A log has such lines, too. */
const FILE = /caption[^/]*$/i;

/** Zoom's `meeting_saved_closed_caption.txt` and `closed_caption.txt`. */
export const zoomCaptions: WholeTextFormat = {
  name: 'zoom-captions',
  product: 'captions that Zoom saves on your computer',
  inDocuments: true,
  matches: (head, name) => formOf(head, name) !== undefined,
  read: (text, about) => {
    const form = formOf(text, about.name) ?? HEADER;
    return readTranscript(
      {
        readHead: () => ({ ...namedAs('captions', about), ...readFolder(about) }),
        readLine: (line) => {
          const { speaker = '', clock, text: said } = form.exec(line.trim())?.groups ?? {};
          if (clock === undefined) return undefined;
          return { is: 'turn', speaker, text: said, seconds: toSecondsOfDay(clock) };
        },
        date: dateByClock,
      },
      plainText(text),
      about,
    );
  },
};

/** Returns the form of the turns, which the first line shows. */
function formOf(text: string, name: string): RegExp | undefined {
  const [first = ''] = filledLines(plainText(text.slice(0, SAMPLE)));
  if (HEADER.test(first)) return HEADER;
  return FILE.test(name) && NAMELESS.test(first) ? NAMELESS : undefined;
}
