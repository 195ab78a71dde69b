// The Granola export: a table of all notes, which Granola sends by e-mail to users of every plan.

import * as v from 'valibot';

import { anyId, detailText, maybeText, maybeTime } from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { bulletsIn, firstText, joinParagraphs } from '../markdown-input.ts';
import { lineSegments, toTranscript } from '../turns/turns.ts';

const Row = v.object({
  document_id: anyId,
  document_title: maybeText,
  document_created: maybeTime,
  summary: maybeText,
  notes: maybeText,
  transcript: maybeText,
  user_email: detailText,
  workspace_name: detailText,
});

const NO_TRANSCRIPT = 'it has no transcript in the export; --without-transcript imports its notes';

/** Granola's export. It has no times but that of the note, and names no speakers. */
export const granolaCsv: ItemFormat = {
  name: 'granola-csv',
  product: "Granola's export of all notes as CSV",
  paths: [],
  columns: [['document_id'], ['document_title'], ['document_created']],
  matches: (item) => 'document_id' in item && 'document_created' in item,
  item: v.pipe(
    Row,
    v.transform(({ document_id, document_title, document_created, transcript, ...row }) => ({
      id: document_id,
      name: document_title,
      started_at: document_created,
      quick_summary: joinParagraphs(row.summary, row.notes),
      key_takeaways: bulletsIn(firstText(row.summary, row.notes)),
      transcript: toTranscript(lineSegments(transcript ?? '')),
      lacks: transcript?.trim() ? undefined : NO_TRANSCRIPT,
      details: { people: [{ email: row.user_email }], folders: [row.workspace_name] },
    })),
  ),
};
