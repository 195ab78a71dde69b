// The tool search: passages of memories, best first, within a budget.

import { BYTES_PER_TOKEN } from '../../contract/schemas/parameters.ts';
import type { Passage } from '../../contract/schemas/passages.ts';
import { cutText } from '../../text/surrogates.ts';
import { countFitting, sentBytes } from '../budget.ts';
import {
  limit,
  maxTokens,
  ResultCursor,
  SearchQuery,
  Speaker,
  windowParameters,
} from '../parameters.ts';
import { byMemory, type MemoryPassages } from '../passages/by-memory.ts';
import { writeHints } from '../passages/hints.ts';
import { readPassages } from '../passages/read-passages.ts';
import { findUnsaid, hasLineOf } from '../passages/said-by.ts';
import { writePlace } from '../place.ts';
import {
  createHeadWriter,
  valuesOfWindow,
  writeBlocks,
  writeLines,
  writeValues,
} from '../response.ts';
import { labelLines, numberLines, showTitle } from '../show.ts';
import { readWindow } from '../time-window.ts';
import { createTool } from '../tool.ts';

/** Searches by relevance. */
export const searchTool = createTool({
  name: 'search',
  title: 'Search memories',
  description:
    'Find what was said in recorded conversations: passages, best first. Ask with a question or words; exact or rare words work best. Then read around a result with fetch.',
  parameters: {
    query: SearchQuery,
    speaker: Speaker,
    ...windowParameters,
    limit: limit(100, 100),
    max_tokens: maxTokens(2000),
    cursor: ResultCursor,
  },
  run: async (context, args) => {
    const { query, speaker, cursor: skip = 0, limit: most, max_tokens } = args;
    const window = await readWindow(args, context);
    const search = {
      q: query,
      started_after: window.started_after ?? undefined,
      started_before: window.started_before ?? undefined,
    };
    const isWanted =
      speaker === undefined ? undefined : (passage: Passage) => hasLineOf(passage, speaker);
    const found = await readPassages(context, search, { skip, most, max_tokens, isWanted });
    const unsaid =
      speaker === undefined || skip > 0 ? [] : await findUnsaid(context, search, speaker);

    const budget = max_tokens * BYTES_PER_TOKEN;
    const writeHeadOf = createHeadWriter(window.timezone);
    const { memories_found, memories_searched, mode, memories_compared } = found.first;
    const isPartial = mode === 'meaning' && memories_compared !== memories_searched;
    const values = writeValues({
      memories_found,
      memories_searched,
      mode,
      memories_compared: isPartial ? memories_compared : undefined,
      speaker: speaker === undefined ? undefined : showTitle(speaker),
      ...valuesOfWindow(window),
      now: new Date(context.now).toISOString(),
    });
    const hints = writeHints(found.first, budget, unsaid);
    const links = context.readerUrl === undefined ? '' : `links: ${context.readerUrl}/ID#L12-14`;
    const { passages, hasMore } = found;
    const block = ({ place, passages: some }: MemoryPassages, cut?: string) =>
      writeLines([
        writeHeadOf(writePlace(place), some[0]),
        cut === undefined ? '' : 'is_cut: true',
        cut ?? some.map(textOf).join('\n'),
      ]);
    const write = (count: number, cut?: string) =>
      writeBlocks([
        writeLines([values, hints, count === 0 ? '' : links]),
        ...byMemory(passages.slice(0, count)).map((each) => block(each, cut)),
        hasMore || count < passages.length ? `cursor: ${skip + count}` : '',
      ]);
    const count = countFitting(passages.length, (some) => sentBytes(write(some)) <= budget);
    const [first] = passages;
    if (count > 0 || first === undefined) return write(count);
    // The first one is returned in any case.
    return write(
      1,
      cutText(textOf(first), (text) => sentBytes(write(1, text)) <= budget),
    );
  },
});

function textOf({ source, lines: [first], text }: Passage): string {
  return first === undefined ? labelLines(text, source) : numberLines(text, first);
}
