// The Bee format: conversations from its API and its command line.

import * as v from 'valibot';

import { anyId, isPresent, maybe, maybeLabel, maybeText, maybeTime } from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { bulletsIn, firstText, hasProse, joinParagraphs } from '../markdown-input.ts';
import { secondsBetween, toInstant, timeSpan } from '../time/product-time.ts';
import { speakerLabel, toTranscript } from '../turns/turns.ts';

const Utterance = v.object({
  spoken_at: maybeTime,
  start: maybeTime,
  text: maybeText,
  speaker: maybeLabel,
});
type Utterance = v.InferOutput<typeof Utterance>;

const Conversation = v.object({
  id: anyId,
  start_time: maybeTime,
  end_time: maybeTime,
  state: maybeText,
  title: maybeText,
  short_summary: maybeText,
  summary: maybeText,
  transcriptions: maybe(
    v.array(v.object({ realtime: maybe(v.boolean()), utterances: v.array(Utterance) })),
  ),
});

/** The states of conversations that are not finished, in lower case. */
const UNFINISHED: ReadonlySet<string> = new Set(['capturing', 'processing']);

const NO_TRANSCRIPT =
  'it has no transcriptions; export it by its id, as "bee conversations get" does';

/** Bee. Its speakers have no names, and most conversations have no title. */
export const bee: ItemFormat = {
  name: 'bee',
  product: 'Bee conversations',
  paths: ['conversations', 'conversation'],
  matches: (item) => 'start_time' in item && ('transcriptions' in item || 'state' in item),
  item: v.pipe(
    Conversation,
    v.transform(({ id, title, start_time, end_time, state, short_summary, summary, ...rest }) => {
      const utterances = finalOf(rest.transcriptions ?? []).flatMap((each) =>
        sortUtterances(each.utterances),
      );
      const said = timeSpan([start_time, ...utterances.map(({ spoken_at }) => spoken_at)]);
      const started_at = start_time ?? said.first;
      return {
        id,
        name: firstText(title, firstSentence(short_summary)),
        started_at,
        ended_at: end_time ?? said.last,
        is_processing: UNFINISHED.has(state?.toLowerCase() ?? ''),
        quick_summary: joinParagraphs(
          short_summary,
          !short_summary || hasProse(summary) ? summary : '',
        ),
        key_takeaways: bulletsIn(summary),
        transcript: toTranscript(
          utterances.map(({ speaker, text, spoken_at }) => ({
            speaker: speakerLabel(speaker),
            text,
            start: secondsBetween(started_at, spoken_at),
          })),
        ),
        lacks: isPresent(rest.transcriptions) ? undefined : NO_TRANSCRIPT,
      };
    }),
  ),
};

type Transcription = NonNullable<v.InferOutput<typeof Conversation>['transcriptions']>[number];

/**
 * Returns the final transcriptions, which are parts of the conversation in order. Live transcriptions
 * repeat the same words, so the first of them counts only if no final one has words yet.
 */
function finalOf(transcriptions: readonly Transcription[]): readonly Transcription[] {
  const spoken = transcriptions.filter(({ utterances }) =>
    utterances.some(({ text }) => text?.trim()),
  );
  const final = spoken.filter(({ realtime }) => realtime !== true);
  return final.length > 0 ? final : spoken.slice(0, 1);
}

/** Returns the first sentence of a summary, which stands for a name. */
function firstSentence(summary: string | null | undefined): string {
  return (
    /^[^\n]{1,100}?(?:[.!?](?=\s)|$)/m.exec(summary?.trim() ?? '')?.[0].replace(/\.$/, '') ?? ''
  );
}

/** Sorts utterances by time. An utterance without a time stays after the one before it. */
function sortUtterances(utterances: readonly Utterance[]): Utterance[] {
  let last = 0;
  return utterances
    .map((utterance) => {
      last = toInstant(utterance.spoken_at ?? utterance.start) ?? last;
      return { utterance, at: last };
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ utterance }) => utterance);
}
