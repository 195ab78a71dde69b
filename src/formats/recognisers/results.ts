// The JSON of other recognisers: Google, IBM, Speechmatics, ElevenLabs, Azure and Rev.

import * as v from 'valibot';

import {
  detailText,
  isPresent,
  maybe,
  maybeLabel,
  maybeList,
  maybeText,
} from '../field-schemas.ts';
import type { FileDraft, ItemFormat, JsonObject } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { inSeconds, maybeOffset, sortByStart, type Utterance } from '../time/offsets.ts';
import { joinWords } from '../turns/pieces.ts';
import { speakerLabel } from '../turns/turns.ts';
import { Google, inside } from './google.ts';
import { toFileDraft } from './recording.ts';
import { Rev } from './rev.ts';

/** IBM writes this where somebody hesitates. */
const HESITATION = '%HESITATION';

/** IBM Watson. Speakers are in a list of their own, by the start of each word. */
const Ibm = v.pipe(
  v.object({
    results: v.array(
      v.object({
        final: maybe(v.boolean()),
        alternatives: maybeList(
          v.object({
            transcript: maybeText,
            timestamps: maybeList(v.looseTuple([v.string(), v.number(), v.number()])),
          }),
        ),
      }),
    ),
    speaker_labels: maybeList(v.object({ from: maybeOffset, speaker: maybeLabel })),
  }),
  v.transform(({ results, speaker_labels }) => {
    const speakers = new Map(speaker_labels.map(({ from, speaker }) => [from, speaker]));
    return results.flatMap(({ alternatives: [best], final }): Utterance[] => {
      if (final === false) return []; // the words come again
      const spoken = best?.timestamps.filter(([text]) => text !== HESITATION) ?? [];
      const words = spoken.map(([text, start, end]) => ({
        text,
        start,
        end,
        speaker: speakerLabel(speakers.get(start)),
      }));
      if (speakers.size > 0 && words.length > 0) return [...joinWords(words)];
      const text = best?.transcript?.replaceAll(`${HESITATION} `, '');
      return [{ text, start: words[0]?.start, end: words.at(-1)?.end }];
    });
  }),
);

/** Speechmatics, version 2. Its marks attach to the word before. */
const Speechmatics = v.pipe(
  v.object({
    results: v.array(
      v.object({
        start_time: maybeOffset,
        end_time: maybeOffset,
        channel: maybeText,
        alternatives: maybeList(v.object({ content: maybeText, speaker: maybeText })),
      }),
    ),
  }),
  v.transform(({ results }) =>
    joinWords(
      results.map(({ start_time, end_time, channel, alternatives: [best] }) => ({
        text: best?.content,
        start: start_time,
        end: end_time,
        speaker: channel ?? (best?.speaker === 'UU' ? '' : speakerLabel(best?.speaker)),
      })),
    ),
  ),
);

const Scribe = v.object({
  language_code: detailText,
  channel_index: maybe(v.number()),
  words: v.array(
    v.object({ text: maybeText, start: maybeOffset, end: maybeOffset, speaker_id: maybeText }),
  ),
});

/** ElevenLabs. Spaces are words of their own. Several channels are several transcripts. */
const ElevenLabs = v.pipe(
  v.union([v.object({ transcripts: v.array(Scribe) }), Scribe]),
  v.transform((result) => {
    const all = 'transcripts' in result ? result.transcripts : [result];
    const spoken = all.flatMap(({ words, channel_index }) => [
      ...joinWords(
        words.map(({ speaker_id, ...word }) => ({
          ...word,
          speaker: speaker_id ?? (isPresent(channel_index) ? `Channel ${channel_index}` : ''),
        })),
      ),
    ]);
    return all.length > 1 ? sortByStart(spoken) : spoken;
  }),
);

const Phrase = v.object({
  channel: maybeLabel,
  speaker: maybeLabel,
  offsetMilliseconds: maybeOffset,
  durationMilliseconds: maybeOffset,
  offsetInTicks: maybeOffset,
  durationInTicks: maybeOffset,
  text: maybeText,
  nBest: maybeList(v.object({ display: maybeText })),
});

/** Azure: batch transcription counts in ticks of 100 ns, fast transcription in milliseconds. */
const Azure = v.pipe(
  v.union([
    v.object({ recognizedPhrases: v.array(Phrase) }),
    v.object({ phrases: v.array(Phrase) }),
  ]),
  v.transform((result) => {
    const phrases = 'phrases' in result ? result.phrases : result.recognizedPhrases;
    const hasChannels = new Set(phrases.map(({ channel }) => channel ?? 0)).size > 1;
    return sortByStart(
      phrases.map(({ channel, speaker, text, nBest: [best], ...each }) => {
        const start = inSeconds(each.offsetMilliseconds) ?? inSeconds(each.offsetInTicks, 1e7);
        const length = inSeconds(each.durationMilliseconds) ?? inSeconds(each.durationInTicks, 1e7);
        const names = [hasChannels ? `Channel ${channel ?? 0}` : '', speakerLabel(speaker)];
        return {
          text: text ?? best?.display,
          start,
          end: (start ?? 0) + (length ?? 0),
          speaker: names.filter(Boolean).join(', '),
        };
      }),
    );
  }),
);

/** Whether the first object of a list has some names. */
function has(list: unknown, ...names: readonly string[]): boolean {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isJsonObject(first) && names.every((name) => name in first);
}

type Schema = v.GenericSchema<unknown, Iterable<Utterance>>;

/** Returns the schema of a result, which its names show. */
function schemaOf(item: JsonObject): Schema | undefined {
  const { results, words, transcripts, recognizedPhrases, phrases, monologues } = item;
  const first: unknown = Array.isArray(results) ? results[0] : undefined;
  const list: unknown = isJsonObject(first) ? first['alternatives'] : undefined;
  if (has(monologues, 'elements')) return Rev;
  if (has(recognizedPhrases, 'nBest') || (has(phrases, 'text') && 'combinedPhrases' in item))
    return Azure;
  if (has(words, 'text', 'type', 'start') && 'language_code' in item) return ElevenLabs;
  if (has(transcripts, 'words', 'language_code')) return ElevenLabs;
  if (has(list, 'content') && has(results, 'start_time')) return Speechmatics;
  if (has(results, 'alternatives', 'final') || (has(list, 'timestamps') && has(list, 'transcript')))
    return Ibm;
  return has(list, 'transcript') || has(list, 'words') ? Google : undefined;
}

/** Recognisers whose results have names of their own. The file gives the id and the start. */
export const speechResults: ItemFormat = {
  name: 'speech-results',
  product: 'JSON of Google, IBM, Speechmatics, ElevenLabs, Azure and Rev',
  paths: [],
  matches: (item) => inEnvelope(item) !== undefined,
  item: v.pipe(
    v.lazy((item) => (isJsonObject(item) ? withLanguage(item) : undefined) ?? NO_RESULTS),
    v.transform(({ spoken, language }): FileDraft =>
      toFileDraft([...spoken], { details: { language } }),
    ),
  ),
};

const NO_RESULTS = v.never('it has no results');

/** Returns the schema of a result, and its language: ElevenLabs and Google write it. */
function withLanguage(item: JsonObject) {
  const schema = inEnvelope(item);
  const language = languageOf(item);
  return (
    schema &&
    v.pipe(
      schema,
      v.transform((spoken) => ({ spoken, language })),
    )
  );
}

function languageOf(item: JsonObject): string | undefined {
  const { language_code, results } = inside(item).result;
  const first: unknown = Array.isArray(results) ? results[0] : undefined;
  const { languageCode, language_code: inSnakeCase } = isJsonObject(first) ? first : {};
  const named = [language_code, languageCode, inSnakeCase];
  return named.find((each) => typeof each === 'string');
}

/** Returns the schema of a result, by itself or inside the response of one of Google's long requests. */
function inEnvelope(item: JsonObject): Schema | undefined {
  const { result, path } = inside(item);
  const schema = schemaOf(result);
  return (
    schema &&
    path.reduceRight<Schema>(
      (inner, name) =>
        v.pipe(
          v.object({ [name]: inner }),
          v.transform((outer) => outer[name] ?? []),
        ),
      schema,
    )
  );
}
