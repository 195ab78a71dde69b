// Lists of segments or words with times, which many recognisers, editors and scripts write, each with its own names.

import * as v from 'valibot';

import { type NamedLine, splitSpeaker } from '../captions/speaker-names.ts';
import { isPresent } from '../field-schemas.ts';
import type { FileDraft, ItemFormat, JsonObject } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { toColumn } from '../tables/table.ts';
import { maybeTimestamp, sortByStart, toSecondsByWords, type Utterance } from '../time/offsets.ts';
import { joinPieces } from '../turns/pieces.ts';
import { createTurnFinder } from '../turns/turn-names.ts';
import { speakerLabel } from '../turns/turns.ts';
import { toFileDraft } from './recording.ts';

/**
 * The names that programs give to the parts of a segment, in the order in which they count, in small letters and
 * without marks between words. YouTube (`json3`) has `tStartMs` and `segs`, DOTE and MacWhisper have
 * `speakerDesignation`, NeMo has `segment`, Amazon's analytics of calls have `BeginOffsetMillis`, Teams has
 * `speakerDisplayName`, Webex has `personName` and `offsetMillisecond`. A name of a speaker counts before their number.
 */
const NAMES = {
  text: 'text sentence body transcript utterance content phrase msg displaytext caption transcription punctuatedword punct word segment dialog dialogue segs',
  start:
    'start starttime startms startsec startat startoffset starttimestamp datastart tsstart timestart begin timebegin beginoffsetmillis from offset offsetmillisecond timestamp timecode in tstartms t0',
  end: 'end endtime endms endsec endat endoffset endtimestamp dataend tsend timeend endoffsetmillis stop to out t1',
  duration: 'duration dur ddurationms durationms durationmillisecond',
  speaker:
    'speakername speakerdisplayname personname speaker speakerlabel speakerid speakertag speakerdesignation participantrole participantid spk name',
};

const PARTS = Object.values(NAMES).map((names) => names.split(' '));
const [TEXT = [], START = [], ...OTHERS] = PARTS;
const SPEAKER = new Set(PARTS.at(-1));

/** A larger number of seconds is the date of a message. */
const MOST_SECONDS = 1_000_000;

/** The names of lists of segments, in the order in which they count. Words are read if there is nothing else. */
const LISTS =
  'segments segment speakers utterances sentences paragraphs chunks phrases captions transcript transcripts transcription results result lines prediction sentence_info entries items events words word tokens'.split(
    ' ',
  );

/** Lists of segments. The file gives the id and the start. One file is one recording. */
export const segments: ItemFormat = {
  name: 'segments',
  product: 'transcripts as lists of pieces with times, in JSON or tables',
  paths: [],
  // Whisper writes `.tsv`, whisper.cpp and Subtitle Edit `.csv`.
  columns: [TEXT, START, OTHERS.flat()],
  // Other products have such lists, too.
  matches: () => false,
  resembles: (item) => isSegment(item) || isSilence(item) || listIn(item) !== undefined,
  continues: (before, item) =>
    (isSegment(before) && (isSegment(item) || isStarted(item))) || areSentences(before, item),
  exclude: (item) => (isSilence(item) ? { skipped: 'a result without words' } : undefined),
  item: v.pipe(
    v.array(v.record(v.string(), v.unknown())),
    v.transform((items) =>
      items.flatMap((item) => (isTurn(item) ? undefined : listIn(item)) ?? [item]).filter(isSaid),
    ),
    v.array(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.transform(toSegment),
        v.object({
          text: v.nullish(v.string()),
          start: maybeTimestamp,
          end: maybeTimestamp,
          duration: maybeTimestamp,
          speaker: v.nullish(v.union([v.string(), v.number()])),
        }),
      ),
    ),
    v.transform((spoken): FileDraft => {
      const utterances = spoken.map(({ duration, end, start, speaker, text }): Utterance => {
        const length = typeof duration === 'number' ? (start ?? 0) + duration : undefined;
        return {
          text,
          start,
          end: end ?? length,
          speaker: speakerLabel(speaker),
          ...labelled(text),
        };
      });
      const sorted = sortByStart(toSecondsByWords(utterances));
      return toFileDraft([...joinPieces(withNames(sorted))], {});
    }),
  ),
};

/** Whether a token was said: Soniox adds translations, and marks of an end. */
function isSaid({ text, translation_status }: JsonObject): boolean {
  return translation_status !== 'translation' && text !== '<end>' && text !== '<fin>';
}

/** Splits a label of a speaker off a text, as in the tables that scripts make of WhisperX: `[SPEAKER_00]: words`. */
function labelled(text: string | null | undefined): NamedLine | undefined {
  const named = splitSpeaker(text?.trim() ?? '');
  return named && /^SPEAKER_\d+$/.test(named.speaker) ? named : undefined;
}

/** Gives the name of a turn to all its segments, if a list has a name only where the speaker changes. */
function withNames(spoken: readonly Utterance[]): readonly Utterance[] {
  const finder = createTurnFinder();
  for (const { speaker } of spoken) finder.add(speaker || undefined);
  if (!finder.end()) return spoken;
  let current: Utterance['speaker'];
  return spoken.map((each) => ({ ...each, speaker: (current = each.speaker || current) }));
}

/** Whether an object has words, and their place in a recording or their speaker. A message has a date instead. */
function isSegment(item: unknown): item is JsonObject {
  if (!isJsonObject(item)) return false;
  const { text, start, end, duration } = toSegment(item);
  if (typeof text !== 'string' || !v.is(maybeTimestamp, start)) return false;
  if (typeof start === 'string' && start.includes(':')) return true;
  // With a speaker, a segment needs no end.
  if (isPresent(start) && Number.parseFloat(String(start)) < MOST_SECONDS && hasSpeaker(item))
    return true;
  // MacWhisper's JSON has no times.
  if (start === undefined) return isNamed(item);
  return typeof (end ?? duration) === 'number' || typeof (end ?? duration) === 'string';
}

/** Whether an object is what one person says, perhaps with a list of its words, which other segments of a list can lack. */
function isTurn(item: JsonObject): boolean {
  return isSegment(item) && (hasSpeaker(item) || 'participant' in item || hasPlainWords(item));
}

function hasPlainWords({ words }: JsonObject): boolean {
  return Array.isArray(words) && !words.some((word) => isJsonObject(word) && hasSpeaker(word));
}

/** Whether an object has words and a start. The last segment of a list can have no end, or `NaN`. */
function isStarted(item: JsonObject): boolean {
  const { text, start } = toSegment(item);
  return typeof text === 'string' && typeof start === 'number' && start < MOST_SECONDS;
}

function hasSpeaker(item: JsonObject): boolean {
  return Object.keys(item).some((name) => SPEAKER.has(toName(name)));
}

function isNamed(item: JsonObject): boolean {
  return typeof item['speaker'] === 'string' && Object.keys(item).length === 2;
}

/** Whether an item is what Vosk writes for a silence. */
function isSilence(item: JsonObject): boolean {
  return item['text'] === '' && Object.keys(item).length === 1;
}

/** Whether two results are sentences of one recording: Vosk writes a result for each. */
function areSentences(before: JsonObject, item: JsonObject): boolean {
  const [some, more] = [before['result'], item['result']];
  if (!Array.isArray(some) || !Array.isArray(more) || typeof item['text'] !== 'string')
    return false;
  const [last, first] = [some.at(-1), more[0]];
  if (!isSegment(last) || !isSegment(first)) return false;
  return Number(toSegment(first).start) >= Number(toSegment(last).end);
}

interface Parts {
  readonly text?: unknown;
  readonly start?: unknown;
  readonly end?: unknown;
  readonly duration?: unknown;
  readonly speaker?: unknown;
}

/** Returns the parts of a segment. Hugging Face gives both times in one list. */
function toSegment(item: JsonObject): Parts {
  const named = new Map(
    Object.entries(item).flatMap(([name, value]) =>
      isDate(value) ? [] : [[toName(name), value] as const],
    ),
  );
  const [text, start, end, duration, speaker] = PARTS.map((names) => {
    const name = names.find((each) => isPresent(named.get(each)));
    return name === undefined ? undefined : inUnit(name, named.get(name));
  });
  const [from, to] = Array.isArray(start) ? (start as unknown[]) : [relative(start), relative(end)];
  const parts = { start: from, end: to, duration, speaker: nameOf(speaker ?? item['participant']) };
  if (text !== undefined || !Array.isArray(item['words']) || item['words'].length === 0)
    return { ...parts, text: textOf(text) };
  return { ...parts, ...joined(item['words'].filter(isJsonObject).map(toSegment)) };
}

/** Whether a value is a time with a date, which is no place in a recording. */
function isDate(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value);
}

/** Returns a name as programs and tables write it: `startTime`, `start_time` and `Start Time` are the same. */
function toName(name: string): string {
  return toColumn(name).replaceAll('_', '');
}

/** Returns a time. Recall.ai has an object for each. */
function relative(time: unknown): unknown {
  return isJsonObject(time) ? time['relative'] : time;
}

/** Returns the name of a speaker. ElevenLabs, Recall.ai and Fathom have an object for them. */
function nameOf(speaker: unknown): unknown {
  if (!isJsonObject(speaker)) return speaker;
  return speaker['name'] ?? speaker['display_name'] ?? speaker['displayName'] ?? speaker['id'];
}

/** Returns a turn that has nothing but its words, as of HappyScribe, Meeting BaaS and Recall.ai. */
function joined(words: readonly Parts[]): Parts {
  return {
    text: words.map(({ text }) => (typeof text === 'string' ? text.trim() : '')).join(' '),
    start: words[0]?.start,
    end: words.at(-1)?.end,
  };
}

/** Converts a number to seconds if its name says its unit: milliseconds, or hundredths of whisper.cpp's `t0` and `t1`. */
function inUnit(name: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  if (/ms$|millis(?:econd)?$/.test(name)) return value / 1000;
  return /^t[01]$/.test(name) && Number.isInteger(value) ? value / 100 : value;
}

/** Returns a text. YouTube gives it in pieces. */
function textOf(text: unknown): unknown {
  if (!Array.isArray(text)) return text;
  const pieces = text.map((each) => (isJsonObject(each) ? each['utf8'] : undefined));
  return pieces.filter((piece) => typeof piece === 'string').join('');
}

/** Finds the segments of a result: in one of its lists, or in an object in it, such as Gladia's `result.transcription`. */
function listIn(item: JsonObject): readonly JsonObject[] | undefined {
  const inside = Object.values(item).filter(isJsonObject);
  const further = inside.flatMap((each) => Object.values(each).filter(isJsonObject));
  for (const each of [item, ...inside, ...further])
    for (const name of LISTS) {
      const list = each[name] ?? each[name.replace(/^./, (letter) => letter.toUpperCase())];
      // The first one can be a heading without a time.
      if (Array.isArray(list) && list.slice(0, 3).some(isSegment) && list.every(isJsonObject))
        return list;
    }
  return undefined;
}
