// The tool fetch: a memory, some of its lines, or its passages about a question, as numbered lines within a budget.

import type { Summary } from '../../contract/schemas/memory.ts';
import { BYTES_PER_TOKEN } from '../../contract/schemas/parameters.ts';
import type { TranscriptLines } from '../../contract/schemas/part.ts';
import { beginning, countFitting, cutText, sentBytes } from '../budget.ts';
import { maxTokens, PlaceId, SearchQuery } from '../parameters.ts';
import { readPlace, urlOfPlace, writePlace, type MemoryPlace } from '../place.ts';
import { numberLines, showOnOneLine, showTitle } from '../show.ts';
import { createTool, type CallContext } from '../tool.ts';
import { findInMemory } from './find-in-memory.ts';
import { ABOUT_FIELDS, type MemoryFields } from './memory-fields.ts';
import { NO_TRANSCRIPT, unlessRefused } from './no-transcript.ts';

/** The part of a budget that the API gets: a response is sent twice, with line numbers of ours. */
const SHARE = 0.45;

/** The part of a budget that a summary gets. */
const SUMMARY_SHARE = 0.5;

/** Reads a memory or a part of it. */
export const fetchTool = createTool({
  name: 'fetch',
  title: 'Read a memory',
  description:
    'Read a memory: summary and transcript as numbered lines. "ID#L120-L160" reads these lines. With query, only its passages about that. metadata.next is the id that continues.',
  parameters: {
    id: PlaceId,
    query: SearchQuery,
    max_tokens: maxTokens(5000),
  },
  run: async (context, { id, query, max_tokens }) => {
    const { api, signal } = context;
    const place = readPlace(id);
    const { memory_id } = place;
    const memory = await api.memories.get({ memory_id, fields: ABOUT_FIELDS }, { signal });
    const budget = max_tokens * BYTES_PER_TOKEN;
    const apiTokens = Math.floor(max_tokens * SHARE);
    const read = async (): Promise<MemoryPart> => {
      if (query !== undefined) return findInMemory(context, { memory_id, query, apiTokens });
      const part =
        place.skip === undefined ? await readLines(context, place, apiTokens) : undefined;
      if (part !== undefined) return part;
      const first = place.first ?? 1;
      const line = await api.memories.lines({ memory_id, first, last: first }, { signal });
      return { ...line, skip: place.skip ?? 0 };
    };
    const part = await unlessRefused(read());
    if (part !== undefined) return createRespond(context, memory, { place, budget })(part);
    // Without lines, the summary is what there is, whichever lines were wanted.
    const whole = { place: { memory_id }, budget };
    return createRespond(context, memory, whole)({ ...NO_LINES, hints: NOT_READABLE });
  },
});

/** How many lines there are is not known either. */
const NOT_READABLE = { total_lines: null, hint: NO_TRANSCRIPT };

/** No line of a transcript. */
const NO_LINES = { total: 0, first: 0, last: 0, text: '', numbered: [] };

/** What is shown of a transcript: lines in order, or lines with gaps, or one line from a character on. */
export interface MemoryPart {
  readonly total: number;
  readonly first: number;
  readonly last: number;
  /** The raw lines from `first` to `last`. */
  readonly text: string;
  /** The shown lines with their numbers, if they are not all from `first` to `last`. */
  readonly numbered?: readonly string[];
  /** How many characters of the line are left out before `text`. */
  readonly skip?: number;
  readonly hints?: object;
}

/** Reads lines, or returns undefined if the first one is so long that it has to be read alone. */
async function readLines(
  { api, signal }: CallContext,
  { memory_id, first = 1, last }: MemoryPlace,
  max_tokens: number,
): Promise<TranscriptLines | undefined> {
  const part = await api.memories.lines({ memory_id, first, last, max_tokens }, { signal });
  const isLong = Buffer.byteLength(part.text) > (max_tokens * BYTES_PER_TOKEN) / 2;
  return part.first === part.last && isLong ? undefined : part;
}

interface Wanted {
  readonly place: MemoryPlace;
  readonly budget: number;
}

/** Creates the function that creates the response with as much of a part as fits. */
function createRespond(context: CallContext, memory: MemoryFields, { place, budget }: Wanted) {
  const { memory_id } = place;
  const { name, started_at, ended_at, duration_seconds, is_processing } = memory;
  const head = {
    id: writePlace(place),
    title: showTitle(name),
    url: urlOfPlace(place, context.readerUrl),
  };
  const about = { started_at, ended_at, duration_seconds, is_processing };
  const now = new Date(context.now).toISOString();

  const create = (text: string, shown: object) => ({
    ...head,
    text,
    metadata: { ...about, ...(place.first === undefined ? { summary } : {}), ...shown },
    now,
  });
  // The longest that follows the text, so that the budget has room for it.
  const room = {
    lines: [1e9, 1e9],
    total_lines: 1e9,
    next: `${memory_id}#L1000000000@1000000000-L1000000000`,
  };
  let summary: Summary | null = null;
  if (!is_processing)
    summary = fitSummary(memory.summary, (fitted) => {
      summary = fitted;
      return sentBytes(create('', room)) <= budget * SUMMARY_SHARE;
    });

  return (part: MemoryPart) => {
    const { total, first, skip } = part;
    const fits = (text: string) => sentBytes(create(text, { ...room, ...part.hints })) <= budget;
    if (skip !== undefined) {
      const rest = part.text.slice(skip);
      const cut = cutText(rest, (text) => fits(numberLines(text, first)));
      const isWhole = cut.length === rest.length;
      const after: MemoryPlace = isWhole
        ? { ...place, first: first + 1 }
        : { ...place, first, skip: skip + cut.length };
      const isEnd = isWhole && first >= Math.min(place.last ?? total, total);
      return create(numberLines(cut, first), {
        lines: [first, first],
        total_lines: total,
        ...(isEnd ? {} : { next: nextPlace(after, place, memory_id) }),
      });
    }
    const numbered =
      part.numbered ?? (total === 0 ? [] : numberLines(part.text, first).split('\n'));
    const count = countFitting(numbered.length, (lines) =>
      fits(numbered.slice(0, lines).join('\n')),
    );
    const text = numbered.slice(0, count).join('\n');
    if (part.numbered !== undefined)
      return create(text, {
        lines: linesOf(numbered.slice(0, count)),
        total_lines: total,
        ...part.hints,
      });
    const last = count === 0 ? 0 : first + count - 1;
    const wanted = Math.min(place.last ?? total, total);
    return create(text, {
      lines: count === 0 ? [] : [first, last],
      total_lines: total,
      ...(last < wanted
        ? { next: nextPlace({ memory_id, first: last + 1 }, place, memory_id) }
        : {}),
    });
  };
}

function nextPlace(
  { first = 1, skip }: MemoryPlace,
  { first: from, last }: MemoryPlace,
  memory_id: string,
) {
  const end = from === undefined || last === undefined ? {} : { last };
  return writePlace({ memory_id, first, ...end, ...(skip === undefined ? {} : { skip }) });
}

/** Returns the numbers of the first and the last line. */
function linesOf(numbered: readonly string[]): number[] {
  const numbers = numbered.map((line) => Number(/^L(\d+)/.exec(line)?.[1]));
  return numbers.length === 0 ? [] : [Math.min(...numbers), Math.max(...numbers)];
}

/** Returns as much of a summary as fits: its takeaways from the first one on, then its text. */
function fitSummary(
  { quick_summary, key_takeaways }: Summary,
  fits: (summary: Summary) => boolean,
): Summary {
  const quick = showOnOneLine(quick_summary);
  const takeaways = key_takeaways.map(showOnOneLine);
  const short = cutText(quick, (text) => fits({ quick_summary: text, key_takeaways: [] }));
  const shown = short.length < quick.length ? `${beginning(short, short.length - 1)}…` : quick;
  const count = countFitting(takeaways.length, (number) =>
    fits({ quick_summary: shown, key_takeaways: takeaways.slice(0, number) }),
  );
  return { quick_summary: shown, key_takeaways: takeaways.slice(0, count) };
}
