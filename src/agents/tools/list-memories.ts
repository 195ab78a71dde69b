// The tool list_memories: what was recorded, with summaries and without transcripts.

import { writeWithin } from '../budget.ts';
import {
  ExactQuery,
  IsProcessing,
  limit,
  ListOrder,
  CursorParameter,
  WholeName,
  windowParameters,
} from '../parameters.ts';
import { describeOccurrences } from '../passages/occurrences.ts';
import {
  createHeadWriter,
  valuesOfWindow,
  writeBlocks,
  writeLines,
  writeValues,
} from '../response.ts';
import { showTitle } from '../show.ts';
import { readWindow } from '../time-window.ts';
import { createTool, type CallContext } from '../tool.ts';
import {
  ABOUT_FIELDS,
  countLines,
  type MemoryFields,
  unlessAbsent,
  unlessRefused,
} from './memory-parts.ts';
import { readCursor, requireAlone, writeCursor } from './window-cursor.ts';

/** The budget of a response, in tokens. */
const MAX_TOKENS = 8000;

/** The longest summary, in characters. */
const MAX_SUMMARY = 300;

/** Lists memories. */
export const listMemoriesTool = createTool({
  name: 'list_memories',
  title: 'List memories',
  description:
    'List recordings by time, with a short summary each: what happened when, and how often. query is an exact filter; it says in which lines. For contents use search.',
  parameters: {
    query: ExactQuery,
    person: WholeName,
    tag: WholeName,
    source: WholeName,
    ...windowParameters,
    is_processing: IsProcessing,
    order: ListOrder,
    limit: limit(20, 100),
    cursor: CursorParameter,
  },
  run: async (context, args) => {
    const { api, signal } = context;
    const given = args.cursor === undefined ? undefined : readCursor(args.cursor);
    if (given !== undefined) requireAlone(args, ['limit']);
    const window = given?.window ?? (await readWindow(args, context));
    const filters = {
      fields: ABOUT_FIELDS,
      q: args.query,
      person: args.person === undefined ? undefined : [args.person],
      tag: args.tag,
      source: args.source,
      started_after: window.started_after ?? undefined,
      started_before: window.started_before ?? undefined,
      is_processing: args.is_processing,
      order: args.order,
    };
    const query = given?.query ?? args.query;
    const writeHead = createHeadWriter(window.timezone);
    const written = new Map<string, string>(); // a page that is too large is read again
    const read = async (size: number) => {
      const { items, next } = await (given === undefined
        ? api.memories.page({ ...filters, limit: size }, { signal })
        : api.memories.page({ cursor: given.cursor, limit: size }, { signal }));
      const blocks: string[] = [];
      // One after another: with a query, each transcript is read.
      for (const memory of items as MemoryFields[]) {
        const known = written.get(memory.id);
        const block = known ?? (await writeMemory(context, memory, { writeHead, query }));
        written.set(memory.id, block);
        blocks.push(block);
      }
      const write = (count: number) =>
        writeBlocks([
          writeValues({
            memories: count,
            ...valuesOfWindow(window),
            now: new Date(context.now).toISOString(),
          }),
          ...blocks.slice(0, count),
          next === undefined ? '' : `cursor: ${writeCursor({ cursor: next, window, query })}`,
        ]);
      return { length: blocks.length, write };
    };
    return writeWithin({ limit: args.limit, tokens: MAX_TOKENS }, read);
  },
});

interface Writing {
  readonly writeHead: ReturnType<typeof createHeadWriter>;
  readonly query: string | undefined;
}

async function writeMemory(
  context: CallContext,
  memory: MemoryFields,
  { writeHead, query }: Writing,
): Promise<string> {
  const { id, started_at, duration_seconds, is_processing, summary } = memory;
  // Undefined: the agent may not read it, or the memory was deleted meanwhile.
  const lines = await unlessRefused(unlessAbsent(countLines(context, id)));
  return writeLines([
    writeHead(id, memory),
    writeValues({
      started_at,
      duration_seconds,
      lines,
      found:
        lines === undefined || query === undefined ? undefined : await findIn(context, id, query),
    }),
    is_processing ? '' : `summary: ${showTitle(summary.quick_summary, MAX_SUMMARY)}`,
  ]);
}

/** Says where the words of a query are. Undefined: the memory was deleted meanwhile. */
async function findIn({ api, signal, pause }: CallContext, memory_id: string, query: string) {
  const memory = await unlessAbsent(
    api.memories.get({ memory_id, fields: ['transcript'] }, { signal }),
  );
  return memory && describeOccurrences(memory.transcript, query, pause);
}
