// The tool fetch: a memory, some of its lines, or its passages about a question, as numbered lines within a budget.

import * as v from 'valibot';

import { BYTES_PER_TOKEN } from '../../contract/schemas/parameters.ts';
import type { TranscriptLines } from '../../contract/schemas/part.ts';
import { cutText } from '../../text/surrogates.ts';
import { countFitting, sentBytes } from '../budget.ts';
import { maxTokens, PlaceId, SearchQuery } from '../parameters.ts';
import { writeHints } from '../passages/hints.ts';
import { readPlace, writePlace, type MemoryPlace } from '../place.ts';
import { numberLines } from '../show.ts';
import { createTool, type CallContext } from '../tool.ts';
import { createFrame, type Frame } from './fetch-frame.ts';
import { findInMemory, numberPassages } from './find-in-memory.ts';
import { ABOUT_FIELDS, countLines, NO_TRANSCRIPT, unlessRefused } from './memory-parts.ts';

/** Reads a memory or a part of it. */
export const fetchTool = createTool({
  name: 'fetch',
  title: 'Read a memory',
  description:
    'Read a memory: summary and transcript as numbered lines. "ID#L120-L160" reads these lines. With query, only its passages about that. "next" is the id that continues.',
  parameters: {
    id: PlaceId,
    query: v.optional(SearchQuery),
    max_tokens: maxTokens(5000),
  },
  run: async (context, { id, query, max_tokens }) => {
    const { api, signal } = context;
    const place = readPlace(id);
    const { memory_id } = place;
    const memory = await api.memories.get({ memory_id, fields: ABOUT_FIELDS }, { signal });
    const budget = max_tokens * BYTES_PER_TOKEN;
    const frame = createFrame(context, memory, { place, budget });
    const read =
      query === undefined
        ? readPart(context, place, { max_tokens, frame })
        : readFound(context, { memory_id, query, max_tokens }, frame);
    const text = await unlessRefused(read);
    if (text !== undefined) return text;
    // Without lines, the summary is what there is, whichever lines were wanted.
    return createFrame(context, memory, { place: { memory_id }, budget }).write('', {
      hint: NO_TRANSCRIPT,
    });
  },
});

/** Reads the passages about a question. */
async function readFound(
  context: CallContext,
  wanted: Parameters<typeof findInMemory>[1],
  frame: Frame,
): Promise<string> {
  const { memory_id, max_tokens } = wanted;
  const found = await findInMemory(context, wanted);
  const total = await countLines(context, memory_id);
  const hints = writeHints(found.first, max_tokens * BYTES_PER_TOKEN);
  const room = frame.room - Buffer.byteLength(JSON.stringify(hints));
  const numbered = numberPassages(found, room);
  const text = cutText(numbered.join('\n'), (part) => sentBytes(part) <= room);
  return frame.write(text, { total_lines: total, hints });
}

interface Reading {
  readonly max_tokens: number;
  readonly frame: Frame;
}

/** Reads lines in order, as many as fit. */
async function readPart(
  context: CallContext,
  place: MemoryPlace,
  { max_tokens, frame }: Reading,
): Promise<string> {
  const fits = (text: string) => sentBytes(text) <= frame.room;
  const part = place.skip === undefined ? await readLines(context, place, max_tokens) : undefined;
  if (part === undefined) return readLongLine(context, place, frame);
  const { total, first } = part;
  if (total === 0) return frame.write('', { total_lines: 0 });
  const numbered = numberLines(part.text, first).split('\n');
  const count = countFitting(numbered.length, (some) => fits(numbered.slice(0, some).join('\n')));
  const last = first + count - 1;
  const isEnd = last >= Math.min(place.last ?? total, total);
  return frame.write(numbered.slice(0, count).join('\n'), {
    lines: [first, last],
    total_lines: total,
    next: isEnd ? undefined : nextPlace(place, { first: last + 1 }),
  });
}

/** Reads lines, or returns undefined if the first one is so long that it has to be read alone. */
async function readLines(
  { api, signal }: CallContext,
  { memory_id, first = 1, last }: MemoryPlace,
  max_tokens: number,
): Promise<TranscriptLines | undefined> {
  const part = await api.memories.lines({ memory_id, first, last, max_tokens }, { signal });
  const isLong = Buffer.byteLength(part.text) > (max_tokens * BYTES_PER_TOKEN) / 4;
  return part.first === part.last && isLong ? undefined : part;
}

/** Reads one line from a character on, as far as it fits. */
async function readLongLine(
  { api, signal }: CallContext,
  place: MemoryPlace,
  frame: Frame,
): Promise<string> {
  const { memory_id, first = 1, skip = 0 } = place;
  const line = await api.memories.lines({ memory_id, first, last: first }, { signal });
  const rest = line.text.slice(skip);
  const shown = (text: string) => numberLines(text, first);
  const cut = cutText(rest, (text) => sentBytes(shown(text)) <= frame.room);
  const isWhole = cut.length === rest.length;
  const isEnd = isWhole && first >= Math.min(place.last ?? line.total, line.total);
  const after = isWhole ? { first: first + 1 } : { first, skip: skip + cut.length };
  return frame.write(shown(cut), {
    lines: [first, first],
    total_lines: line.total,
    next: isEnd ? undefined : nextPlace(place, after),
  });
}

/** Writes where the rest of a place begins. */
function nextPlace(
  { memory_id, first, last }: MemoryPlace,
  after: Pick<MemoryPlace, 'first' | 'skip'>,
): string {
  const end = first === undefined || last === undefined ? {} : { last };
  return writePlace({ memory_id, ...after, ...end });
}
