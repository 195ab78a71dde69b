// The Fireflies format: transcripts from its GraphQL API.

import * as v from 'valibot';

import type { DraftActionItem, DraftDetails } from '../details.ts';
import {
  anyId,
  detail,
  detailList,
  detailText,
  isPresent,
  maybe,
  maybeLabel,
  maybeList,
  maybeSeconds,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { ItemFormat, JsonObject } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { firstText, listItems } from '../markdown-input.ts';
import { toSeconds } from '../time/timestamp.ts';
import { speakerLabel, toTranscript } from '../turns/turns.ts';

const List = maybe(v.union([v.string(), v.array(v.nullable(v.string()))]));
type List = v.InferOutput<typeof List>;

const Sentence = v.object({
  speaker_name: maybeText,
  speaker_id: maybeLabel,
  text: maybeText,
  start_time: detail(v.number()),
  end_time: maybeSeconds,
});

const Transcript = v.object({
  id: anyId,
  title: maybeText,
  date: maybeTime,
  dateString: maybeTime,
  duration: maybe(v.number()),
  is_live: maybe(v.boolean()),
  meeting_info: maybe(v.object({ silent_meeting: maybe(v.boolean()), summary_status: maybeText })),
  speakers: maybeList(v.object({ id: maybeLabel, name: maybeText })),
  sentences: maybe(v.array(Sentence)),
  summary: maybe(
    v.object({
      short_summary: maybeText,
      overview: maybeText,
      action_items: List,
      bullet_gist: List,
    }),
  ),
  transcript_url: detailText,
  audio_url: detailText,
  organizer_email: detailText,
  participants: detailList(v.string()),
  meeting_attendees: detailList(
    v.object({ displayName: detailText, name: detailText, email: detailText }),
  ),
  channels: detailList(v.object({ title: detailText })),
});
type Transcript = v.InferOutput<typeof Transcript>;

const NO_TRANSCRIPT =
  'it has no sentences; ask for them in the query, or wait until they are there';

/** Fireflies. A GraphQL query chooses its fields, so any field can be missing. */
export const fireflies: ItemFormat = {
  name: 'fireflies',
  product: 'Fireflies transcripts',
  paths: ['data.transcripts', 'data.transcript', 'transcripts', 'transcript'],
  matches: (item) =>
    // A turn in a transcript of Gong has sentences, too.
    ('sentences' in item && !('speakerId' in item) && !isOfRecogniser(item['sentences'])) ||
    'dateString' in item ||
    ('date' in item && ('transcript_url' in item || hasSummary(item))),
  item: v.pipe(
    Transcript,
    v.transform((transcript) => {
      const { id, title, date, dateString, duration, is_live, meeting_info, summary } = transcript;
      const sentences = transcript.sentences ?? [];
      const actions = actionsIn(summary?.action_items);
      const items = actions.map(toTakeaway);
      return {
        id,
        name: title,
        started_at: date ?? dateString,
        // A meeting's duration is in minutes, the times of sentences are in seconds.
        duration_seconds: isPresent(duration)
          ? duration * 60
          : sentences.reduce((last, { end_time }) => Math.max(last, end_time ?? 0), 0),
        is_processing: is_live === true || meeting_info?.summary_status === 'processing',
        quick_summary: firstText(summary?.short_summary, summary?.overview),
        key_takeaways: items.length > 0 ? items : actionsIn(summary?.bullet_gist).map(toTakeaway),
        transcript: toTranscript(spoken(transcript.speakers, sentences)),
        lacks:
          isPresent(transcript.sentences) || meeting_info?.silent_meeting === true
            ? undefined
            : NO_TRANSCRIPT,
        details: { ...detailsOf(transcript), action_items: actions.map(withOwner) },
      };
    }),
  ),
};

/** Whether sentences have the names of AssemblyAI's list of them, or of NeMo's. */
function isOfRecogniser(sentences: unknown): boolean {
  const first: unknown = Array.isArray(sentences) ? sentences[0] : undefined;
  if (!isJsonObject(first)) return false;
  return ('start' in first && 'end' in first) || 'sentence' in first;
}

/** Whether an item has a summary as Fireflies writes it. A query may have left everything else out. */
function hasSummary({ summary }: JsonObject): boolean {
  return isJsonObject(summary) && ['short_summary', 'bullet_gist'].some((name) => name in summary);
}

function* spoken(speakers: Transcript['speakers'], sentences: v.InferOutput<typeof Sentence>[]) {
  const names = new Map(speakers.map(({ id, name }) => [speakerLabel(id), name]));
  for (const { speaker_name, speaker_id, text, start_time, end_time } of sentences) {
    const label = speakerLabel(speaker_id);
    yield {
      speaker: firstText(speaker_name, names.get(label), label),
      text,
      start: start_time,
      end: end_time,
    };
  }
}

/** Reads action items. A line such as `**Ana**` names the owner of the items below it. */
function actionsIn(list: List): DraftActionItem[] {
  let owner = '';
  return (typeof list === 'string' ? list.split('\n') : (list ?? [])).flatMap((line) => {
    const heading = /^\s*\*\*([^*]+)\*\*:?\s*$/.exec(line ?? '')?.[1];
    if (heading !== undefined) owner = heading.trim();
    if (heading !== undefined) return [];
    return listItems(line).map((text) => ({ text, owner, start: timeIn(text) }));
  });
}

/** Returns the time at the end of an action item, as in `Count again (01:10)`. */
function timeIn(text: string): number | undefined {
  const [, time] = /\(((?:\d{1,3}:)?\d{1,3}:\d\d)\)$/.exec(text) ?? [];
  return time === undefined ? undefined : toSeconds(time);
}

/** Removes what Fireflies writes instead of an owner. */
function withOwner(item: DraftActionItem): DraftActionItem {
  return item.owner === 'Unassigned' ? { ...item, owner: undefined } : item;
}

function toTakeaway({ owner, text }: DraftActionItem): string {
  return owner ? `${owner}: ${text}` : String(text);
}

function detailsOf(transcript: Transcript): DraftDetails {
  const { organizer_email, participants, meeting_attendees } = transcript;
  return {
    url: transcript.transcript_url,
    audio: transcript.audio_url,
    people: [
      ...meeting_attendees.map(({ displayName, name, email }) => ({
        name: firstText(displayName, name),
        email,
      })),
      ...participants.map((email) => ({ email })),
      { email: organizer_email, role: 'organiser' },
    ],
    folders: transcript.channels.map(({ title }) => title),
  };
}
