// The Gong format: calls and their transcripts from its API, in answers of their own.

import * as v from 'valibot';

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
import type { ItemFormat, JoinRule, JsonObject } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { firstText, listItems } from '../markdown-input.ts';
import { missingOwner, missingTranscript } from '../missing-parts.ts';
import { lastOffset, maybeOffset, sortByStart, inSeconds } from '../time/offsets.ts';
import { speakerLabel, toTranscript } from '../turns/turns.ts';

const Monologue = v.object({
  speakerId: maybeLabel,
  sentences: maybeList(v.object({ start: maybeOffset, end: maybeOffset, text: maybeText })),
});

const CallTranscript = v.object({ callId: anyId, transcript: v.array(Monologue) });

const Facts = v.object({
  id: anyId,
  title: maybeText,
  started: maybeTime,
  duration: maybeSeconds,
  url: detailText,
  language: detailText,
});

/** A call of `calls/extensive`. The plain list has the facts alone. */
const Call = v.object({
  metaData: Facts,
  parties: maybeList(v.object({ speakerId: maybeLabel, name: maybeText, emailAddress: maybeText })),
  content: maybe(
    v.object({
      brief: maybeText,
      keyPoints: maybeList(v.object({ text: maybeText })),
      outline: detailList(v.object({ section: detailText, startTime: detail(v.number()) })),
      pointsOfInterest: detail(
        v.object({
          actionItems: detailList(
            v.object({ snippet: detailText, snippetStartTime: detail(v.number()) }),
          ),
        }),
      ),
    }),
  ),
  media: detail(v.object({ audioUrl: detailText })),
});

const Joined = v.object({
  call: v.optional(Call),
  'plain call': v.optional(Facts),
  transcript: v.optional(CallTranscript),
});

const rule: JoinRule = {
  format: 'gong',
  join: (id, parts) => {
    const { call, 'plain call': plain, transcript } = v.parse(Joined, parts);
    const facts = call?.metaData ?? plain;
    if (!facts) return { reason: missingOwner('call', id) };
    const spoken = transcript ? utterancesOf(transcript, call) : [];
    return {
      id,
      name: facts.title,
      started_at: facts.started,
      duration_seconds: facts.duration ?? lastOffset(spoken),
      quick_summary: call?.content?.brief?.trim(),
      key_takeaways: listItems(call?.content?.keyPoints.map(({ text }) => text)),
      transcript: toTranscript(spoken),
      lacks: transcript ? undefined : missingTranscript('the call ', id),
      details: {
        url: facts.url,
        language: facts.language,
        audio: call?.media?.audioUrl,
        people: call?.parties.map(({ name, emailAddress }) => ({ name, email: emailAddress })),
        chapters: call?.content?.outline.map(({ section, startTime }) => ({
          title: section,
          start: startTime,
        })),
        action_items: call?.content?.pointsOfInterest?.actionItems.map((item) => ({
          text: item.snippet,
          start: item.snippetStartTime,
        })),
      },
    };
  },
};

/** Gong. Only calls with `parties` tell the names of speakers. */
export const gong: ItemFormat = {
  name: 'gong',
  rule,
  product: 'Gong calls and transcripts',
  paths: ['callTranscripts', 'calls'],
  matches: (item) => isTranscript(item) || isCall(item) || isPlainCall(item),
  item: v.lazy((item) => {
    if (!isJsonObject(item) || isTranscript(item)) return TranscriptPart;
    return isCall(item) ? CallPart : PlainPart;
  }),
};

const TranscriptPart = v.pipe(
  CallTranscript,
  v.transform((value) => ({ rule, parts: [{ id: value.callId, role: 'transcript', value }] })),
);

const CallPart = v.pipe(
  Call,
  v.transform((value) => ({ rule, parts: [{ id: value.metaData.id, role: 'call', value }] })),
);

const PlainPart = v.pipe(
  Facts,
  v.transform((value) => ({ rule, parts: [{ id: value.id, role: 'plain call', value }] })),
);

function isTranscript({ callId, transcript }: JsonObject): boolean {
  return callId !== undefined && Array.isArray(transcript);
}

function isCall({ metaData }: JsonObject): boolean {
  return isJsonObject(metaData) && 'started' in metaData;
}

function isPlainCall(item: JsonObject): boolean {
  return 'started' in item && 'primaryUserId' in item;
}

type Call = v.InferOutput<typeof Call>;

/** Returns the sentences with the names of the parties, in time order. Offsets are milliseconds. */
function utterancesOf(
  { transcript }: v.InferOutput<typeof CallTranscript>,
  call: Call | undefined,
) {
  const names = new Map(
    (call?.parties ?? []).flatMap(({ speakerId, name, emailAddress }) =>
      isPresent(speakerId) ? [[String(speakerId), firstText(name, emailAddress)]] : [],
    ),
  );
  return sortByStart(
    transcript.flatMap(({ speakerId, sentences }) =>
      sentences.map(({ start, end, text }) => ({
        start: inSeconds(start ?? 0),
        end: inSeconds(end),
        text,
        speaker: firstText(names.get(String(speakerId)), speakerLabel(speakerId)),
      })),
    ),
  );
}
