// The tool list_memories: what was recorded, with summaries and without transcripts.

import { readWithin } from '../budget.ts';
import {
  ExactQuery,
  IsProcessing,
  limit,
  ListOrder,
  CursorParameter,
  StartedAfter,
  StartedBefore,
  Timezone,
} from '../parameters.ts';
import { showTitle } from '../show.ts';
import { createLocalTime, readWindow } from '../time-window.ts';
import { createTool, type CallContext } from '../tool.ts';
import { ABOUT_FIELDS, type MemoryFields } from './memory-fields.ts';
import { unlessRefused } from './no-transcript.ts';
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
    'List recordings by time, with a short summary each: what happened when, and how often. query is an exact filter. For contents use search.',
  parameters: {
    query: ExactQuery,
    started_after: StartedAfter,
    started_before: StartedBefore,
    timezone: Timezone,
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
      started_after: window.started_after ?? undefined,
      started_before: window.started_before ?? undefined,
      is_processing: args.is_processing,
      order: args.order,
    };
    const localTime = createLocalTime(window.timezone);
    const read = async (size: number) => {
      const { items, next } = await (given === undefined
        ? api.memories.page({ ...filters, limit: size }, { signal })
        : api.memories.page({ cursor: given.cursor, limit: size }, { signal }));
      const memories = await Promise.all(
        (items as MemoryFields[]).map(async (memory) => ({
          ...toShown(memory, localTime),
          lines: await countLines(context, memory.id),
        })),
      );
      return {
        memories,
        more: next !== undefined,
        ...(next === undefined ? {} : { cursor: writeCursor({ cursor: next, window }) }),
        window,
        now: new Date(context.now).toISOString(),
      };
    };
    return readWithin('memories', { limit: args.limit, tokens: MAX_TOKENS }, read);
  },
});

function toShown(
  { id, name, started_at, ended_at, duration_seconds, is_processing, summary }: MemoryFields,
  localTime: (instant: string) => string,
) {
  return {
    id,
    name: showTitle(name),
    started_at,
    ended_at,
    local_time: localTime(started_at),
    duration_seconds,
    is_processing,
    quick_summary: is_processing ? null : showTitle(summary.quick_summary, MAX_SUMMARY),
  };
}

/** Returns the number of lines of a transcript. Null: the agent may not read it, or the memory was deleted meanwhile. */
async function countLines({ api, signal }: CallContext, memory_id: string) {
  const first = { memory_id, first: 1, last: 1, max_tokens: 100 };
  try {
    return (await unlessRefused(api.memories.lines(first, { signal })))?.total ?? null;
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 404) return null;
    throw error;
  }
}
