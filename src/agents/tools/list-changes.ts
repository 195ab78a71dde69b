// The tool list_changes: what was added, changed or deleted, the latest first, or everything after a cursor.

import * as v from 'valibot';

import type { Api } from '../../contract/api.ts';
import { Failure } from '../../contract/failure.ts';
import type { Change } from '../../contract/schemas/memory.ts';
import { Cursor } from '../../contract/schemas/parameters.ts';
import { writeWithin } from '../budget.ts';
import { limit } from '../parameters.ts';
import { writeBlocks, writeHead, writeLines, writeValues } from '../response.ts';
import { showTitle } from '../show.ts';
import { readAgentTime } from '../time-window.ts';
import { createTool, type CallContext } from '../tool.ts';
import { unlessAbsent } from './memory-parts.ts';

const Since = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(8100),
    v.description('a time such as yesterday or 7d, "now" of an earlier response, or its "next"'),
  ),
);

/** The budget of a response, in tokens. */
const MAX_TOKENS = 8000;

/** What precedes the cursor of older changes: a time that may be before 1970. With ten digits, all are times. */
const OLDER = /^older~(-?[0-9a-z]{1,10})?~([\w-]+)$/;

/** Lists changes. */
export const listChangesTool = createTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'List memories added, changed or deleted since a time, the latest first. To ask for news later, pass "now" of this response as since.',
  parameters: { since: Since, limit: limit(20, 100) },
  run: async (context, { since, limit: most }) => {
    const now = new Date(context.now).toISOString();
    const read = async (size: number) => {
      const { changes, next, from } = await readChanges(context, since, size);
      const heads = await Promise.all(
        changes.map(async (one) =>
          writeHead([one.memory_id, one.change, one.changed_at, await titleOf(context, one)]),
        ),
      );
      const write = (count: number) =>
        writeBlocks([
          writeValues({
            changes: count,
            changed_after: from === undefined ? undefined : new Date(from).toISOString(),
            timezone: context.timezone,
            now,
          }),
          writeLines(heads.slice(0, count)),
          next === undefined ? '' : `next: ${next}`,
        ]);
      return { length: heads.length, write };
    };
    return writeWithin({ limit: most, tokens: MAX_TOKENS }, read);
  },
});

interface Changes {
  readonly changes: readonly Change[];
  readonly next?: string | undefined;
  /** Milliseconds since 1970. */
  readonly from?: number | undefined;
}

async function readChanges(
  context: CallContext,
  since: string | undefined,
  most: number,
): Promise<Changes> {
  const [, time36 = '', older] = OLDER.exec(since ?? '') ?? [];
  const time =
    since === undefined || older !== undefined ? undefined : await readAgentTime(since, context);
  if (since !== undefined && time === undefined && older === undefined) {
    if (!v.is(Cursor, since) || since.length < 16) throw badSince();
    const page = await readPage(context, { since, limit: most });
    return { changes: page.items, ...(page.items.length < most ? {} : { next: page.next }) };
  }
  const from = time ?? (time36 === '' ? undefined : Number.parseInt(time36, 36));
  const page = await readPage(
    context,
    older === undefined ? { order: 'desc', limit: most } : { cursor: older, limit: most },
  );
  const changes = page.items.filter(
    ({ changed_at }) => from === undefined || Date.parse(changed_at) >= from,
  );
  const hasMore = page.next !== undefined && changes.length === page.items.length;
  const next = hasMore ? `older~${from?.toString(36) ?? ''}~${page.next}` : undefined;
  return { changes, next, from };
}

/** Reads a page. The API can refuse the cursor in `since` and nothing else. */
async function readPage(
  { api, signal }: CallContext,
  input: Parameters<Api['changes']['page']>[0],
) {
  try {
    return await api.changes.page(input, { signal });
  } catch (error) {
    throw error instanceof Failure && error.status === 422 ? badSince() : error;
  }
}

function badSince(): Failure {
  return new Failure(
    422,
    'The parameter "since" takes a time such as 2026-11-21T09:30:00Z, 2026-11-21, "yesterday" or "7d", or "next" of an earlier response.',
  );
}

/** Returns the title of a memory that exists, otherwise ''. */
async function titleOf({ api, signal }: CallContext, { memory_id, change }: Change) {
  if (change === 'delete') return '';
  const memory = await unlessAbsent(api.memories.get({ memory_id, fields: ['name'] }, { signal }));
  return memory === undefined ? '' : showTitle(memory.name);
}
