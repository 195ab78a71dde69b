// Read AI: reports of meetings, as its webhook sends them and its API gives them.

import * as v from 'valibot';

import type { ItemFormat } from './format.ts';
import { listOf } from './prose.ts';
import { anyId, isThere, maybe, maybeList, maybeText, maybeTime, textOr } from './shapes.ts';
import { inUtc } from './time.ts';
import { segmentsOf, toTranscript, type Segment } from './turns.ts';

const Turn = v.object({
  speaker: maybe(v.object({ name: maybeText })),
  words: maybeText,
  text: maybeText,
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
});

/** The trigger of what is sent before there is a report. */
const BEGINS = 'meeting_start';

const NO_TRANSCRIPT = 'it has no transcript; export its meetings with "transcript" expanded';

/** Read AI. Its webhook names the same things otherwise than its API does. */
export const readai: ItemFormat = {
  name: 'readai',
  product: 'Read AI meeting reports',
  inside: ['data'],
  fits: (item) =>
    ('session_id' in item && 'trigger' in item) ||
    ('start_time_ms' in item && 'report_url' in item),
  item: v.pipe(
    Report,
    v.check(({ trigger, transcript }) => trigger === BEGINS || isThere(transcript), NO_TRANSCRIPT),
    v.transform(({ transcript, action_items, ...report }) => {
      if (report.trigger === BEGINS) return { passed_over: 'it tells that a meeting begins' };
      return {
        id: report.session_id ?? report.id ?? '',
        name: report.title,
        started_at: report.start_time_ms ?? inUtc(report.start_time),
        ended_at: report.end_time_ms ?? inUtc(report.end_time),
        is_processing: isThere(report.start_time_ms) && !isThere(report.end_time_ms),
        quick_summary: report.summary,
        key_takeaways: listOf(
          action_items.map((item) => (typeof item === 'string' ? item : item.text)),
        ),
        transcript: toTranscript(saidIn(transcript ?? '')),
      };
    }),
  ),
};

function saidIn(transcript: string | v.InferOutput<typeof Transcript>): Segment[] {
  if (typeof transcript === 'string') return segmentsOf(transcript);
  const { speaker_blocks, turns, text } = transcript;
  const blocks = speaker_blocks.length > 0 ? speaker_blocks : turns;
  if (blocks.length === 0) return segmentsOf(text ?? '');
  return blocks.map((block) => ({ speaker: block.speaker?.name, text: block.words ?? block.text }));
}
