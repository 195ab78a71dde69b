// The Anarlog format: meetings as its program anarlog exports them from its database.

import * as v from 'valibot';

import {
  anyId,
  detailList,
  detailText,
  maybe,
  maybeList,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { bulletsIn, firstText, joinParagraphs } from '../markdown-input.ts';
import { Recording, spokenIn } from './hyprnote.ts';

const Document = v.object({ markdown: maybeText });

const Meeting = v.object({
  id: anyId,
  title: maybeText,
  created_at: maybeTime,
  started_at: maybeTime,
  ended_at: maybeTime,
  language: detailText,
  folder_path: detailText,
  note: maybe(Document),
  summaries: maybeList(Document),
  participants: detailList(
    v.object({ human_id: detailText, display_name: detailText, email: detailText }),
  ),
  speakers: detailList(v.object({ human_id: detailText, name: detailText })),
  action_items: detailList(
    v.object({
      text: detailText,
      assignee_human_id: detailText,
      due_at: detailText,
      completed_at: detailText,
      status: detailText,
    }),
  ),
  transcripts: v.array(
    v.pipe(
      v.object({ ...Recording.entries, started_at_ms: maybeTime }),
      v.transform(({ started_at_ms, ...recording }) => ({
        ...recording,
        started_at: started_at_ms,
      })),
    ),
  ),
});

/** Anarlog, once Hyprnote. Written from its source: `apps/cli` and `crates/agent-access`. */
export const anarlog: ItemFormat = {
  name: 'anarlog',
  product: 'Anarlog meetings from anarlog meetings export',
  paths: ['data'],
  matches: (item) => ['transcripts', 'summaries', 'participants'].every((name) => name in item),
  item: v.pipe(
    Meeting,
    v.transform(({ id, title, transcripts, note, summaries, action_items, ...meeting }) => {
      const attendees = meeting.participants.map(({ display_name: name, ...each }) => ({
        ...each,
        name,
      }));
      const people = new Map<string, string>();
      for (const { human_id, name } of [...attendees, ...meeting.speakers])
        if (human_id && name) people.set(human_id, name);
      const spoken = spokenIn(transcripts, meeting.started_at || meeting.created_at, people);
      const notes = summaries.map(({ markdown }) => markdown);
      return {
        id,
        name: title,
        ...spoken,
        ended_at: spoken.ended_at ?? (meeting.ended_at || undefined),
        quick_summary: joinParagraphs(...notes, note?.markdown),
        key_takeaways: bulletsIn(firstText(...notes, note?.markdown)),
        details: {
          language: meeting.language,
          folders: [meeting.folder_path],
          people: attendees.map(({ name, email }) => ({ name, email })),
          action_items: action_items.map(({ text, assignee_human_id, due_at, ...item }) => ({
            text,
            owner: people.get(assignee_human_id ?? ''),
            due: due_at,
            done: Boolean(item.completed_at) || item.status === 'completed',
          })),
        },
      };
    }),
  ),
};
