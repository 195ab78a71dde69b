// Lists of segments or words with times, which many recognisers, editors and scripts write, each with its own names.

import * as v from 'valibot';

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
 * The names that programs give to the parts of a segment, in the order in which they count, in small letters. YouTube
 * (`json3`) has `tStartMs` and `segs`, DOTE and MacWhisper have `speakerDesignation`, NeMo has `segment`. A name of a
 * speaker counts before their number.
 */
const NAMES = {
  text: 'text sentence body transcript utterance content phrase msg displaytext punctuated_word punct word segment dialog dialogue segs',
  start:
    'start starttime start_time start_ms startms start_sec start_at begin from offset timestamp tstartms t0',
  end: 'end endtime end_time end_ms endms end_sec end_at stop to t1',
  duration: 'duration dur ddurationms',
  speaker:
    'speaker_name speakername speaker speaker_label speakerlabel speaker_id speakerid speaker_tag speakertag speakerdesignation spk name',
};

const PARTS = Object.values(NAMES).map((names) => names.split(' '));
const [TEXT = [], START = [], ...OTHERS] = PARTS;
const SPEAKER = new Set(PARTS.at(-1));

/** A larger number of seconds is the date of a message. */
const MOST_SECONDS = 1_000_000;

/** The names of lists of segments, in the order in which they count. Words are read if there is nothing else. */
const LISTS =
  'segments segment speakers utterances sentences chunks phrases captions transcript transcription results result lines events words word tokens'.split(
    ' ',
  );

/** Lists of segments. The file gives the id and the start. One file is one recording. */
export const segments: ItemFormat = {
  name: 'segments',
  product: 'lists of segments with times, as scripts and many recognisers write them',
  paths: [],
  // Whisper writes `.tsv`, whisper.cpp `.csv`.
  columns: [TEXT, START, OTHERS.flat()],
  // Other products have such lists, too.
  matches: () => false,
  resembles: (item) => isSegment(item) || listIn(item) !== undefined,
  continues: (before, item) => (isSegment(before) && isSegment(item)) || areSentences(before, item),
  item: v.pipe(
    v.array(v.record(v.string(), v.unknown())),
    v.transform((items) => items.flatMap((item) => listIn(item) ?? [item])),
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
        return { text, start, end: end ?? length, speaker: speakerLabel(speaker) };
      });
      const sorted = sortByStart(toSecondsByWords(utterances));
      return toFileDraft([...joinPieces(withNames(sorted))], {});
    }),
  ),
};

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

function hasSpeaker(item: JsonObject): boolean {
  return Object.keys(item).some((name) => SPEAKER.has(toColumn(name)));
}

function isNamed(item: JsonObject): boolean {
  return typeof item['speaker'] === 'string' && Object.keys(item).length === 2;
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

/** Returns the parts of a segment. Hugging Face gives both times in one list, ElevenLabs an object for a speaker. */
function toSegment(given: JsonObject) {
  const item = isJsonObject(given['participant']) ? spokenBy(given['participant'], given) : given;
  const named = new Map(Object.entries(item).map(([name, value]) => [toColumn(name), value]));
  const [text, start, end, duration, speaker] = PARTS.map((names) => {
    const name = names.find((each) => isPresent(named.get(each)));
    return name === undefined ? undefined : inUnit(name, named.get(name));
  });
  const [from, to] = Array.isArray(start) ? (start as unknown[]) : [start, end];
  const who = isJsonObject(speaker) ? (speaker['name'] ?? speaker['id']) : speaker;
  return { text: textOf(text), start: from, end: to, duration, speaker: who };
}

/** Returns what a participant of Recall.ai says: words with times in objects. */
function spokenBy({ name, id }: JsonObject, { words }: JsonObject): JsonObject {
  const said = Array.isArray(words) ? words.filter(isJsonObject) : [];
  return {
    speaker: name ?? id,
    text: said.map(({ text }) => (typeof text === 'string' ? text : '')).join(' '),
    start: relative(said[0]?.['start_timestamp']),
    end: relative(said.at(-1)?.['end_timestamp']),
  };
}

function relative(time: unknown): unknown {
  return isJsonObject(time) ? time['relative'] : undefined;
}

/** Converts a number to seconds if its name says its unit: milliseconds, or hundredths of whisper.cpp's `t0` and `t1`. */
function inUnit(name: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  if (name.endsWith('ms')) return value / 1000;
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
      const list = each[name];
      // The first one can be a heading without a time.
      if (Array.isArray(list) && list.slice(0, 3).some(isSegment) && list.every(isJsonObject))
        return list;
    }
  return undefined;
}
