// The JSON of AssemblyAI: a transcript of its API.

import * as v from 'valibot';

import {
  detail,
  detailText,
  isPresent,
  maybe,
  maybeLabel,
  maybeList,
  maybeText,
} from '../field-schemas.ts';
import type { Draft, FileDraft, ItemFormat, Skipped } from '../format.ts';
import { bulletsIn, firstText, listItems } from '../markdown-input.ts';
import { maybeOffset, inSeconds, type Utterance } from '../time/offsets.ts';
import { joinWords } from '../turns/pieces.ts';
import { speakerLabel } from '../turns/turns.ts';
import { toFileDraft } from './recording.ts';

const Spoken = v.object({
  start: maybeOffset,
  end: maybeOffset,
  text: maybeText,
  speaker: maybeLabel,
  // Of a recording with a channel for each person.
  channel: maybeLabel,
});

const Chapter = v.object({ headline: maybeText, summary: maybeText, start: detail(v.number()) });

const Result = v.object({
  status: maybeText,
  error: maybeText,
  audio_duration: maybeOffset,
  text: maybeText,
  utterances: maybe(v.array(Spoken)),
  words: maybeList(Spoken),
  summary: maybeText,
  chapters: maybeList(Chapter),
  id: detailText,
  language_code: detailText,
  audio_url: detailText,
});

const UNFINISHED: ReadonlySet<unknown> = new Set(['queued', 'processing']);

/** AssemblyAI. Its id names the request, and a recording can be sent twice: the file gives the id. */
export const assemblyai: ItemFormat = {
  name: 'assemblyai',
  product: 'AssemblyAI transcripts',
  paths: [],
  matches: (item) => 'audio_duration' in item && 'utterances' in item,
  item: v.pipe(
    Result,
    v.check(({ status }) => status !== 'error', 'AssemblyAI could not transcribe it'),
    v.transform((result): Draft | FileDraft | Skipped =>
      UNFINISHED.has(result.status) ? { skipped: 'it is not transcribed yet' } : toDraft(result),
    ),
  ),
};

function toDraft(result: v.InferOutput<typeof Result>): FileDraft {
  const { audio_duration, summary, chapters } = result;
  const headlines = listItems(chapters.map((each) => firstText(each.headline, each.summary)));
  const told = listItems(chapters.map((each) => each.summary));
  return toFileDraft(spokenIn(result), {
    duration: audio_duration,
    quick_summary: firstText(summary, told.join('\n')),
    key_takeaways: headlines.length > 0 ? headlines : bulletsIn(summary),
    details: {
      id: result.id,
      language: result.language_code,
      audio: result.audio_url,
      chapters: chapters.map((each) => ({ title: each.headline, start: inSeconds(each.start) })),
    },
  });
}

/** Returns the utterances, which only a request for speakers or channels has, otherwise the words, otherwise the text. */
function spokenIn({ utterances, words, text }: v.InferOutput<typeof Result>): Utterance[] {
  const spoken = utterances?.length
    ? toUtterances(utterances)
    : [...joinWords(toUtterances(words))];
  return spoken.length > 0 ? spoken : [{ text }];
}

function toUtterances(spoken: readonly v.InferOutput<typeof Spoken>[]): Utterance[] {
  return spoken.map(({ start, end, text, speaker, channel }) => ({
    start: inSeconds(start),
    end: inSeconds(end),
    text,
    speaker: speakerLabel(speaker) || (isPresent(channel) ? `Channel ${channel}` : ''),
  }));
}
