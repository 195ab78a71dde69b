// Bee: conversations, as its API and its command line give them.

import * as v from 'valibot';

import type { ItemFormat } from './format.ts';
import { bulletsOf, firstOf } from './prose.ts';
import { anyId, isThere, maybe, maybeLabel, maybeText, maybeTime } from './shapes.ts';
import { instantOf, spanOf } from './time.ts';
import { labelOf, toTranscript } from './turns.ts';

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
  short_summary: maybeText,
  summary: maybeText,
  transcriptions: maybe(v.array(v.object({ utterances: v.array(Utterance) }))),
});

/** Bee. It gives no names: neither to conversations, nor to who speaks in them. */
export const bee: ItemFormat = {
  name: 'bee',
  product: 'Bee conversations',
  inside: ['conversations', 'conversation'],
  fits: (item) => 'start_time' in item && ('transcriptions' in item || 'state' in item),
  item: v.pipe(
    Conversation,
    v.check(
      ({ transcriptions }) => isThere(transcriptions),
      'it has no transcriptions; export it by its id, as "bee conversations get" does',
    ),
    v.transform(({ id, start_time, end_time, state, short_summary, summary, transcriptions }) => {
      const utterances = (transcriptions ?? []).flatMap((each) => each.utterances);
      const said = spanOf([start_time, ...utterances.map(({ spoken_at }) => spoken_at)]);
      return {
        id,
        started_at: start_time ?? said.first,
        ended_at: end_time ?? said.last,
        is_processing: state === 'processing',
        quick_summary: firstOf(short_summary, summary),
        key_takeaways: bulletsOf(summary),
        transcript: toTranscript(
          inOrder(utterances).map(({ speaker, text }) => ({ speaker: labelOf(speaker), text })),
        ),
      };
    }),
  ),
};

/** Utterances as they were spoken: transcriptions overlap. One without a time stays behind the one before it. */
function inOrder(utterances: readonly Utterance[]): Utterance[] {
  let last = 0;
  return utterances
    .map((utterance) => {
      last = instantOf(utterance.spoken_at ?? utterance.start) ?? last;
      return { utterance, at: last };
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ utterance }) => utterance);
}
