// The Circleback format: meetings as the webhook of its automations sends them.

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
  maybeSeconds,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { bulletsIn, listItems } from '../markdown-input.ts';
import { toTranscript } from '../turns/turns.ts';

const Spoken = v.object({ speaker: maybeText, text: maybeText, timestamp: detail(v.number()) });

const ActionItem = v.object({
  title: maybeText,
  assignee: detail(detailPerson),
  status: detailText,
});

const Meeting = v.object({
  id: anyId,
  name: maybeText,
  createdAt: maybeTime,
  duration: maybeSeconds,
  notes: maybeText,
  transcript: maybe(v.array(Spoken)),
  actionItems: maybeList(ActionItem),
  attendees: detailList(detailPerson),
  tags: detailList(v.string()),
});

const NO_TRANSCRIPT = 'it has no transcript; let the automation send it';

/** What the documentation calls a link to a meeting. The property `url` is where people met. */
const PAGE = 'https://app.circleback.ai/meetings/';

/** Circleback. Which properties are sent, its user chooses. The link to the recording ends after a day. */
export const circleback: ItemFormat = {
  name: 'circleback',
  product: 'Circleback meetings',
  paths: [],
  matches: (item) =>
    'createdAt' in item &&
    'name' in item &&
    ['actionItems', 'icalUid', 'recordingUrl', 'insights'].some((name) => name in item),
  item: v.pipe(
    Meeting,
    v.transform(({ id, name, createdAt, duration, notes, transcript, actionItems, ...meeting }) => {
      const items = listItems(actionItems.map(({ title }) => title));
      return {
        id,
        name,
        started_at: createdAt,
        duration_seconds: duration,
        quick_summary: notes?.trim(),
        key_takeaways: items.length > 0 ? items : bulletsIn(notes),
        transcript: toTranscript(
          (transcript ?? []).map(({ speaker, text, timestamp }) => ({
            speaker,
            text,
            start: timestamp,
          })),
        ),
        lacks: isPresent(transcript) ? undefined : NO_TRANSCRIPT,
        details: {
          url: PAGE + id,
          people: meeting.attendees,
          tags: meeting.tags,
          action_items: actionItems.map(({ title, assignee, status }) => ({
            text: title,
            owner: assignee?.name ?? assignee?.email,
            done: doneOf(status),
          })),
        },
      };
    }),
  ),
};

function doneOf(status: string | null | undefined): boolean | undefined {
  if (status === 'DONE') return true;
  return status === 'PENDING' || status === 'IN_PROGRESS' ? false : undefined;
}
