// The Read AI format: meeting reports from its webhook and its API.

import * as v from 'valibot';

import {
  anyId,
  detail,
  detailList,
  detailPerson,
  detailText,
  isPresent,
  maybe,
  maybeList,
  maybeText,
  maybeTime,
  textOr,
} from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { listItems } from '../markdown-input.ts';
import { asUtc, secondsBetween, sortByTime, type MaybeTime } from '../time/product-time.ts';
import { lineSegments, toTranscript, type Segment } from '../turns/turns.ts';

const Turn = v.object({
  speaker: maybe(v.object({ name: maybeText })),
  words: maybeText,
  text: maybeText,
  start_time_ms: maybeTime,
  end_time_ms: detail(maybeTime),
  start_time: detail(maybeTime),
  end_time: detail(maybeTime),
});

const Transcript = v.object({
  speaker_blocks: maybeList(Turn),
  turns: maybeList(Turn),
  text: maybeText,
});

const Report = v.object({
  session_id: v.optional(anyId),
  id: v.optional(anyId),
  trigger: maybeText,
  title: maybeText,
  start_time: maybeTime,
  start_time_ms: maybeTime,
  end_time: maybeTime,
  end_time_ms: maybeTime,
  summary: maybeText,
  action_items: maybeList(textOr(v.object({ text: maybeText }))),
  transcript: maybe(textOr(Transcript)),
  report_url: detailText,
  participants: detailList(detailPerson),
  owner: detail(detailPerson),
  chapter_summaries: detailList(v.object({ title: detailText })),
});

/** The trigger of the webhook call at the start of a meeting, which has no report. */
const BEGINS = 'meeting_start';

const NO_TRANSCRIPT = 'it has no transcript; with the API, ask for expand[]=transcript';

/** Read AI. Its webhook and its API use different names for the same fields. */
export const readai: ItemFormat = {
  name: 'readai',
  product: 'Read AI meeting reports',
  paths: ['data'],
  matches: (item) =>
    ('session_id' in item && 'trigger' in item) ||
    ('start_time_ms' in item && ['report_url', 'transcript', 'title'].some((name) => name in item)),
  item: v.pipe(
    Report,
    v.transform(({ transcript, action_items, ...report }) => {
      if (report.trigger === BEGINS) return { skipped: 'it tells that a meeting begins' };
      const started_at = report.start_time_ms ?? asUtc(report.start_time);
      const actions = action_items.map((item) => (typeof item === 'string' ? item : item.text));
      return {
        id: report.session_id ?? report.id ?? '',
        name: report.title,
        started_at,
        ended_at: report.end_time_ms ?? asUtc(report.end_time),
        is_processing: isPresent(report.start_time_ms) && !isPresent(report.end_time_ms),
        quick_summary: report.summary,
        key_takeaways: listItems(actions),
        transcript: toTranscript(saidIn(transcript ?? '', started_at)),
        lacks: isPresent(transcript) ? undefined : NO_TRANSCRIPT,
        details: {
          url: report.report_url,
          people: [...report.participants, report.owner ?? {}],
          chapters: report.chapter_summaries,
          action_items: actions.map((text) => ({ text })),
        },
      };
    }),
  ),
};

function saidIn(
  transcript: string | v.InferOutput<typeof Transcript>,
  began: MaybeTime,
): Segment[] {
  if (typeof transcript === 'string') return lineSegments(transcript);
  const { speaker_blocks, turns, text } = transcript;
  const blocks = speaker_blocks.length > 0 ? speaker_blocks : turns;
  if (blocks.length === 0) return lineSegments(text ?? '');
  // The API returns the last turn first.
  return sortByTime(blocks, (turn) => turn.start_time_ms).map((block) => ({
    speaker: block.speaker?.name,
    text: block.words ?? block.text,
    start: secondsBetween(began, block.start_time_ms ?? asUtc(block.start_time)),
    end: secondsBetween(began, block.end_time_ms ?? asUtc(block.end_time)),
  }));
}
