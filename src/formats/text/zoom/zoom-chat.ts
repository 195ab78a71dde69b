// The chat of a Zoom meeting: messages with their time, sender and recipient.

import type { FileInfo } from '../../format.ts';
import { CLOCK, DAY, toSecondsOfDay } from '../lines/clock.ts';
import { dateByClock } from '../lines/date-by-clock.ts';
import {
  dateFromStart,
  toTextFormat,
  type DatesOrReason,
  type RecordingFacts,
  type LineMeaning,
} from '../lines/dialect.ts';
import { filledLines } from '../lines/plain-lines.ts';
import { namedAs, readFolder } from './zoom-folder.ts';

const WHEN = String.raw`(?:(?<day>\d{4}-\d\d-\d\d) )?(?<clock>${CLOCK})`;

/** The words before the sender and the recipient, in the languages of the program. */
const WORDS = [
  ['From', 'to'],
  ['Von', 'an'],
  ['De', '(?:a|à|para)'],
  ['Da', 'a'],
  ['Van', 'aan'],
  ['Od', 'do'],
  ['Från', 'till'],
  ['От', '(?:кому|до|для)'],
  ['(?:从|來自|来自)', '(?:到|至|发送给|傳送給)'],
  ['開始', '(?:終了|宛先)'],
];

/** The forms of messages, which changed over the years. A name can have the word "to", so the last one counts. */
const FORMS: readonly RegExp[] = [
  ...WORDS.flatMap(([from, to]) => [
    // 10:00:05 From Anna to Everyone: and the words below.
    String.raw`^${WHEN}\s+${from}\s+(?<speaker>\S.{0,198})(?<=\S)\s+${to}\s+[^:\t]{1,200}:$`,
    // 10:00:05 From Anna to Everyone : words
    String.raw`^${WHEN}\s+${from}\s+(?<speaker>\S(?:(?!\s?:\s).){0,198})(?<=\S)\s+${to}\s+[^:\t]{1,200}?\s?:\s+(?<text>\S[^]*)$`,
  ]),
  // 10:00:05 From Anna : words
  String.raw`^${WHEN}\s+From\s+(?<speaker>\S.{0,198}?) : (?<text>[^]*)$`,
  // 10:00:05⇥Anna:⇥words
  String.raw`^${WHEN}\t(?<speaker>[^\t]{1,200}):\t(?<text>[^]*)$`,
].map((form) => new RegExp(form, 'iu'));

/** All forms begin with a time. */
const BEGIN = new RegExp(`^${WHEN}\\s`, 'u');

/** Additions of the program: an answer repeats an earlier message, and a reaction has no words. */
const ADDED = /^(?:Replying to|Reacted to|Removed a \S{1,20} reaction from) ["“]/u;
/** Who reacted to a message, below its words: `Anna, Bo:👍`. */
const REACTION =
  /^\t[^\t]{1,2000}:(?:\p{Extended_Pictographic}|\p{RI}|\p{Emoji_Modifier}|\u{200D}|\u{FE0F}|\u{20E3}){1,20}$/u;

/** The file of a recording in the cloud. Its times count from the start of the recording. */
const CLOUD = /(?:^|\/)GMT\d{8}-\d{6}[^/]*$/;

/** Zoom's `meeting_saved_chat.txt`, `meeting_saved_new_chat.txt` and `chat.txt`. */
export const zoomChat = toTextFormat({
  name: 'zoom-chat',
  product: 'the chat of a Zoom meeting',
  matches: (head) => groupsOf(filledLines(head)[0] ?? '') !== undefined,
  readHead: (_, { about }) => {
    const { name, ...facts } = readFolder(about);
    return name === undefined ? namedAs('chat', about) : { ...facts, name: `${name} (chat)` };
  },
  readLine: (line, { hasWords }): LineMeaning | undefined => {
    const { day, clock, speaker, text = '' } = groupsOf(line.trimEnd()) ?? {};
    if (clock === undefined || speaker === undefined) {
      const isAdded = ADDED.test(line.trim()) || (hasWords && REACTION.test(line.trimEnd()));
      return isAdded ? { is: 'nothing' } : undefined;
    }
    // A day makes the time absolute, in local seconds since 1970.
    const seconds = toSecondsOfDay(clock) + (day === undefined ? 0 : Date.parse(day) / 1000);
    return { is: 'turn', speaker, text: ADDED.test(text) ? '' : text, seconds };
  },
  date: dateChat,
});

function groupsOf(line: string) {
  if (!BEGIN.test(line)) return undefined;
  for (const form of FORMS) {
    const groups = form.exec(line)?.groups;
    if (groups) return groups;
  }
  return undefined;
}

function dateChat(
  seconds: readonly number[],
  facts: RecordingFacts,
  about: FileInfo,
): DatesOrReason {
  const [first = 0] = seconds;
  if (first <= DAY)
    return CLOUD.test(about.name)
      ? dateFromStart(seconds, facts, about)
      : dateByClock(seconds, facts, about);
  const day = new Date(first * 1000).toISOString().slice(0, 'YYYY-MM-DD'.length);
  const since = Date.parse(day) / 1000;
  const clocks = seconds.map((each) => each - since);
  // The file says when it was, so nobody else needs to.
  const dated = dateByClock(
    clocks,
    { ...facts, started_at: day },
    { ...about, dated_by: undefined },
  );
  return 'reason' in dated ? dated : { ...dated, zero: since + (dated.zero ?? 0) };
}
