// The JSON of Google Cloud Speech-to-Text.

import * as v from 'valibot';

import {
  detailText,
  isPresent,
  maybe,
  maybeLabel,
  maybeList,
  maybeText,
} from '../field-schemas.ts';
import type { JsonObject } from '../format.ts';
import { isJsonObject, renameProperties } from '../json/unwrap.ts';
import { maybeOffset, maybeTimestamp, sortByStart } from '../time/offsets.ts';
import { joinWords } from '../turns/pieces.ts';
import { speakerLabel } from '../turns/turns.ts';

/** Seconds as Google writes them: `1.5s`, or whole seconds and nanoseconds. */
const GoogleTime = maybe(
  v.union([
    maybeTimestamp,
    v.pipe(
      v.object({ seconds: maybeOffset, nanos: maybeOffset }),
      v.transform(({ seconds, nanos }) => (seconds ?? 0) + (nanos ?? 0) / 1e9),
    ),
  ]),
);

/** A result of Google Cloud Speech-to-Text, versions 1 and 2, of the API and of its client. Becomes utterances. */
export const Google = v.pipe(
  v.unknown(),
  v.transform((result) => renameProperties(result, inCamelCase, DEPTH)),
  v.object({
    results: v.array(
      v.object({
        channelTag: maybeLabel,
        languageCode: detailText,
        resultEndTime: GoogleTime,
        resultEndOffset: GoogleTime,
        alternatives: maybeList(
          v.object({
            transcript: maybeText,
            words: maybeList(
              v.object({
                word: maybeText,
                startTime: GoogleTime,
                startOffset: GoogleTime,
                endTime: GoogleTime,
                endOffset: GoogleTime,
                speakerTag: maybeLabel,
                speakerLabel: maybeLabel,
              }),
            ),
          }),
        ),
      }),
    ),
  }),
  v.transform(({ results }) => {
    const parts = results.map(({ alternatives: [best], channelTag, ...ends }) => ({
      text: best?.transcript,
      until: ends.resultEndTime ?? ends.resultEndOffset,
      words: (best?.words ?? []).map((each) => ({
        text: each.word,
        start: each.startTime ?? each.startOffset,
        end: each.endTime ?? each.endOffset,
        speaker: speakerLabel(each.speakerLabel ?? (each.speakerTag || undefined)),
      })),
      speaker: isPresent(channelTag) ? `Channel ${channelTag}` : '',
    }));
    // With speakers, the last result repeats all words.
    const last = parts.at(-1)?.words ?? [];
    const isWhole = last.length > 0 && last.every(({ speaker }) => speaker !== '');
    if (isWhole) {
      const labelled = parts.filter(({ words }) => words.every(({ speaker }) => speaker !== ''));
      return (labelled.length === parts.length ? parts : parts.slice(-1)).flatMap(({ words }) => [
        ...joinWords(words),
      ]);
    }
    // Without words, a result says only when it ends.
    const spoken = parts.map(({ text, words, speaker, until }) => ({
      text,
      start: words[0]?.start,
      end: words.at(-1)?.end ?? until,
      speaker,
    }));
    return parts.some(({ speaker }) => speaker !== '') ? sortByStart(spoken) : spoken;
  }),
);

/** Writes a name as the API does. Clients for Python write `speaker_tag` for `speakerTag`. */
function inCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** How deep the words of a result are. */
const DEPTH = 8;

/**
 * Finds the result in the response of a long request, and the names that lead to it. Version 2 has results by the
 * address of each file, and a job of IBM a list of them, which is read if there is one.
 */
export function inside(item: JsonObject): {
  readonly result: JsonObject;
  readonly path: readonly string[];
} {
  const { results } = item;
  const isList = Array.isArray(results) && isJsonObject(results[0]) && 'results' in results[0];
  const [address = '', ...more] = isList || isJsonObject(results) ? Object.keys(results) : [];
  const ways = [['response'], ['results', address], ['inlineResult'], ['transcript']];
  if (more.length > 0) return { result: item, path: [] };
  for (const path of ways) {
    const result = path.reduce<unknown>((at, name) => (at as JsonObject | null)?.[name], item);
    if (!isJsonObject(result)) continue;
    const further = inside(result);
    return { ...further, path: [...path, ...further.path] };
  }
  return { result: item, path: [] };
}
