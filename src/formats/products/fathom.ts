// The Fathom format: meetings from its API and its webhooks.

import * as v from 'valibot';

import type { DraftDetails } from '../details.ts';
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
} from '../field-schemas.ts';
import type { ItemFormat, JsonObject } from '../format.ts';
import { isJsonObject, renameProperties } from '../json/unwrap.ts';
import { firstText, listItems } from '../markdown-input.ts';
import { maybeTimestamp } from '../time/offsets.ts';
import { toTranscript } from '../turns/turns.ts';

const Meeting = v.object({
  recording_id: maybe(anyId),
  url: maybeText,
  title: maybeText,
  meeting_title: maybeText,
  scheduled_start_time: maybeTime,
  scheduled_end_time: maybeTime,
  recording_start_time: maybeTime,
  recording_end_time: maybeTime,
  transcript: maybe(
    v.array(
      v.object({
        speaker: maybe(v.object({ display_name: maybeText })),
        text: maybeText,
        timestamp: detail(maybeTimestamp),
      }),
    ),
  ),
  default_summary: maybe(v.object({ markdown_formatted: maybeText })),
  action_items: maybeList(
    v.object({
      description: maybeText,
      completed: detail(v.boolean()),
      assignee: detail(detailPerson),
      recording_timestamp: detail(maybeTimestamp),
    }),
  ),
  share_url: detailText,
  transcript_language: detailText,
  calendar_invitees: detailList(
    v.object({ ...detailPerson.entries, matched_speaker_display_name: detailText }),
  ),
  recorded_by: detail(detailPerson),
});
type Meeting = v.InferOutput<typeof Meeting>;

const NO_TRANSCRIPT = 'it has no transcript; export it with include_transcript=true';

/** Fathom. Its lines have no end times, so the times come from the recording. */
export const fathom: ItemFormat = {
  name: 'fathom',
  product: 'Fathom meetings',
  paths: ['items', 'result.items'],
  matches: (item) => 'recording_start_time' in item || 'default_summary' in item || isOfSdk(item),
  item: v.pipe(
    v.unknown(),
    v.transform((item) =>
      isJsonObject(item) && isOfSdk(item) ? renameProperties(item, toSnakeCase) : item,
    ),
    Meeting,
    v.transform((meeting) => ({
      // Some results lack the recording's id. The URL of its page is just as stable.
      id: meeting.recording_id ?? meeting.url ?? '',
      name: firstText(meeting.title, meeting.meeting_title),
      ...timesOf(meeting),
      quick_summary: meeting.default_summary?.markdown_formatted?.trim(),
      key_takeaways: listItems(meeting.action_items.map(({ description }) => description)),
      transcript: toTranscript(
        (meeting.transcript ?? []).map(({ speaker, text, timestamp }) => ({
          speaker: speaker?.display_name,
          text,
          start: isRecorded(meeting) ? timestamp : undefined,
        })),
      ),
      lacks: isPresent(meeting.transcript) ? undefined : NO_TRANSCRIPT,
      details: detailsOf(meeting),
    })),
  ),
};

/** Whether an item has the names of Fathom's SDK for TypeScript. */
function isOfSdk(item: JsonObject): boolean {
  return 'recordingStartTime' in item || 'defaultSummary' in item;
}

/** Converts `recordingId` to `recording_id`. */
function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function detailsOf(meeting: Meeting): DraftDetails {
  return {
    url: meeting.url ?? meeting.share_url,
    language: meeting.transcript_language,
    people: [
      ...meeting.calendar_invitees.map(({ matched_speaker_display_name, name, email }) => ({
        name: firstText(matched_speaker_display_name, name),
        email,
      })),
      meeting.recorded_by ?? {},
    ],
    action_items: meeting.action_items.map((item) => ({
      text: item.description,
      owner: firstText(item.assignee?.name, item.assignee?.email),
      done: item.completed,
      start: isRecorded(meeting) ? item.recording_timestamp : undefined,
    })),
  };
}

/** Whether it has the start of its recording. Times within it count from there, not from the scheduled start. */
function isRecorded(meeting: Meeting): boolean {
  return Boolean(meeting.recording_start_time);
}

/** The times of the recording or, without a recording, the scheduled times. Mixing them would give a wrong duration. */
function timesOf(meeting: Meeting) {
  return isRecorded(meeting)
    ? { started_at: meeting.recording_start_time, ended_at: meeting.recording_end_time }
    : { started_at: meeting.scheduled_start_time, ended_at: meeting.scheduled_end_time };
}
