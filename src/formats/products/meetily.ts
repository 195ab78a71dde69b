// The Meetily format: a folder for each meeting, with metadata.json and transcripts.json.

import * as v from 'valibot';

import {
  anyId,
  detailText,
  isPresent,
  maybe,
  maybeList,
  maybeSeconds,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { ItemFormat, JoinRule, JsonObject } from '../format.ts';
import { toFileId } from '../id.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { lastOffset, maybeOffset, sortByStart } from '../time/offsets.ts';
import { toTranscript } from '../turns/turns.ts';

const Metadata = v.object({
  meeting_id: maybe(anyId),
  meeting_name: maybeText,
  created_at: maybeTime,
  completed_at: maybeTime,
  duration_seconds: maybeSeconds,
  status: maybeText,
  audio_file: detailText,
});

const Transcripts = v.object({
  segments: maybeList(
    v.object({
      text: maybeText,
      audio_start_time: maybeOffset,
      audio_end_time: maybeOffset,
      speaker: maybeText,
    }),
  ),
});

const Joined = v.object({
  metadata: v.optional(Metadata),
  transcripts: v.optional(Transcripts),
});

/** The speakers: the microphone hears the user, and the computer plays everyone else. */
const SPEAKERS: ReadonlyMap<string, string> = new Map([
  ['me', 'User'],
  ['others', 'Speaker'],
]);

const rule: JoinRule = {
  format: 'meetily',
  join: (folder, parts) => {
    const { metadata, transcripts } = v.parse(Joined, parts);
    if (!metadata)
      return { reason: 'its metadata.json is not in this import; give the whole folder' };
    if (!transcripts)
      return { reason: 'its transcripts.json is not in this import; give the whole folder' };
    const spoken = sortByStart(
      transcripts.segments.map(({ text, audio_start_time, audio_end_time, speaker }) => ({
        start: audio_start_time,
        end: audio_end_time,
        text,
        speaker: SPEAKERS.get(speaker ?? '') ?? speaker,
      })),
    );
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    return {
      // Meetily seldom writes an id. Folders have the name and the time of the meeting.
      id: metadata.meeting_id || toFileId(name),
      name: metadata.meeting_name,
      started_at: metadata.created_at,
      ended_at: metadata.completed_at,
      duration_seconds:
        metadata.duration_seconds ??
        (isPresent(metadata.completed_at) ? undefined : lastOffset(spoken)),
      is_processing: metadata.status === 'recording',
      transcript: toTranscript(spoken),
      details: {
        id: metadata.meeting_id || name,
        audio: metadata.audio_file && `${name}/${metadata.audio_file}`,
      },
    };
  },
};

/** Meetily. Its files do not name their meeting: the folder joins them. */
export const meetily: ItemFormat = {
  name: 'meetily',
  rule,
  product: 'Meetily meeting folders',
  paths: [],
  matches: (item) => isMetadata(item) || isTranscripts(item),
  item: v.lazy((item) =>
    isJsonObject(item) && isTranscripts(item) ? TranscriptsPart : MetadataPart,
  ),
};

const MetadataPart = v.pipe(
  Metadata,
  v.transform((value) => ({ rule, parts: [{ role: 'metadata', value }] })),
);

const TranscriptsPart = v.pipe(
  Transcripts,
  v.transform((value) => ({ rule, parts: [{ role: 'transcripts', value }] })),
);

function isMetadata(item: JsonObject): boolean {
  return 'meeting_name' in item && 'transcript_file' in item;
}

function isTranscripts({ segments, total_segments }: JsonObject): boolean {
  return total_segments !== undefined && Array.isArray(segments);
}
