// What the page of a memory, or of some lines of it, shows: the lines, the summary, the action items, and the chapters or landmarks in them.

import { Failure } from '../../../contract/failure.ts';
import type { Details } from '../../../contract/schemas/details.ts';
import type { Memory } from '../../../contract/schemas/memory.ts';
import { itemNote } from '../../../text/item-text.ts';
import { landmarksOf } from '../../../text/landmarks.ts';
import { createScale } from '../../../text/score.ts';
import { nameOwner, OWNER } from '../../../text/speaker.ts';
import { splitTranscript } from '../../../text/turns.ts';
import type { PageContent } from '../one-page.ts';

/** The lines to show, or everything, and when the memory was recorded, as its owner reads it. */
export interface Chosen {
  readonly first_line?: number | undefined;
  readonly last_line?: number | undefined;
  readonly when: string;
  /** How long the transcript was in which they were chosen. */
  readonly characters?: number | undefined;
}

const CHANGED =
  'This memory has changed since it was opened, so its lines may be others; reload the page, and choose again.';

/** Returns what a page shows: the chosen lines, or everything, with the name of the owner. Throws a 422 if there are no such lines, and a 409 if they may be others now. */
export function contentOf(
  { memory, details }: { readonly memory: Memory; readonly details: Details },
  { first_line, last_line, when, characters = memory.transcript.length }: Chosen,
  owner: string,
): PageContent {
  if (characters !== memory.transcript.length) throw new Failure(409, CHANGED);
  const all = nameOwner(memory.transcript, owner).split('\n');
  const isWhole = first_line === undefined && last_line === undefined;
  const [first, last] = [first_line ?? 1, last_line ?? all.length];
  if (first > last || last > all.length)
    throw new Failure(422, `This memory has the lines 1 to ${all.length}; choose some of them.`);
  const { quick_summary, key_takeaways } = memory.summary;
  const lines = all.slice(first - 1, last);
  return {
    title: memory.name,
    when,
    summary: isWhole ? [quick_summary, ...key_takeaways] : [],
    ...(isWhole && { items: itemsOf(details, owner) }),
    first,
    total: all.length,
    lines,
    ...placesOf(lines, first, details),
  };
}

function itemsOf({ action_items }: Details, name: string): PageContent['items'] {
  return action_items.map((item) => ({
    text: item.text,
    note: itemNote({ ...item, owner: item.owner === OWNER ? name : item.owner }),
    is_done: item.done === true,
  }));
}

/** Returns the chapters of the source in these lines, or else their landmarks. */
function placesOf(
  shown: readonly string[],
  first: number,
  { chapters, line_starts_ms }: Details,
): Pick<PageContent, 'places' | 'are_landmarks'> {
  const titles = chapters.flatMap(({ title: text, line }) =>
    line === null || line < first || line >= first + shown.length ? [] : [{ text, line }],
  );
  if (titles.length > 0) return { places: titles.toSorted((a, b) => a.line - b.line) };
  const lines = splitTranscript(shown.join('\n'));
  const starts = line_starts_ms?.slice(first - 1, first - 1 + lines.length);
  const found = landmarksOf(lines, createScale(lines), starts);
  const places = found.map(({ text, line }) => ({ text, line: line + first - 1 }));
  return { places, are_landmarks: true };
}
