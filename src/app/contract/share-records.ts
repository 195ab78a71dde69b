// Shares: what the page of a link shows, and the records that owners see.

import * as v from 'valibot';

import { MemoryId, Timestamp } from '../../contract/schemas/memory.ts';
import { LinkSecret, RecordId } from './records.ts';

/** What the page of a share shows. */
export const ShareContent = v.object({
  title: v.string(),
  /** When it was recorded, as people read it. */
  when: v.string(),
  /** The summary, which may be empty, and the takeaways. Nothing at all if only lines were chosen. */
  summary: v.array(v.string()),
  /** The action items, which shares made before have not, each with whose it is and when it is due. */
  items: v.optional(
    v.array(v.object({ text: v.string(), note: v.string(), is_done: v.boolean() })),
  ),
  /** The number of the first line, and how many the memory had. */
  first: v.number(),
  total: v.number(),
  lines: v.array(v.string()),
  /** The chapters or landmarks, by their lines. */
  places: v.optional(v.array(v.object({ text: v.string(), line: v.number() }))),
  /** Whether these are landmarks, because the source has no chapters. */
  are_landmarks: v.optional(v.boolean()),
  /** Who has each of the colours of people in the account. */
  hues: v.optional(v.array(v.string())),
  /** Whom it is from. */
  from: v.optional(v.string()),
  /** Until when it can be opened, as people read it. */
  until: v.optional(v.string()),
});

/** A share that has not ended. */
export const ShareEntry = v.object({
  id: RecordId,
  memory_id: MemoryId,
  title: v.string(),
  first_line: v.number(),
  last_line: v.number(),
  total_lines: v.number(),
  created_at: Timestamp,
  expires_at: Timestamp,
  visits: v.number(),
  /** Whether its memory is in the bin, so that it does not open. */
  in_bin: v.boolean(),
});

/** A new share. Its secret appears in this response and nowhere else. */
export const NewShare = v.object({ ...ShareEntry.entries, secret: LinkSecret });
