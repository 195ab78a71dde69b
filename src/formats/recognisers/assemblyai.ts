// The JSON of AssemblyAI: a transcript of its API.

import * as v from 'valibot';

import { detail, detailText, maybe, maybeLabel, maybeList, maybeText } from '../field-schemas.ts';
import type { Draft, FileDraft, ItemFormat, Skipped } from '../format.ts';
import { bulletsIn, firstText, listItems } from '../markdown-input.ts';
import { maybeOffset, inSeconds } from '../time/offsets.ts';
import { speakerLabel } from '../turns/turns.ts';
import { toFileDraft } from './recording.ts';

const Spoken = v.object({
  start: maybeOffset,
  end: maybeOffset,
  text: maybeText,
  speaker: maybeLabel,
});

const Chapter = v.object({ headline: maybeText, summary: maybeText, start: detail(v.number()) });

const Result = v.object({
  status: maybeText,
  error: maybeText,
  audio_duration: maybeOffset,
  text: maybeText,
  utterances: maybe(v.array(Spoken)),
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
  const { audio_duration, text, utterances, summary, chapters } = result;
  const headlines = listItems(chapters.map((each) => firstText(each.headline, each.summary)));
  const told = listItems(chapters.map((each) => each.summary));
  const spoken = (utterances ?? []).map(({ start, end, ...said }) => ({
    start: inSeconds(start),
    end: inSeconds(end),
    text: said.text,
    speaker: speakerLabel(said.speaker),
  }));
  return toFileDraft(spoken.length > 0 ? spoken : [{ text }], {
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
