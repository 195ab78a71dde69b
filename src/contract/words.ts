// Words: what the OpenAPI document says of each part of the contract; nothing that serves or calls reads them.

import type { Contract, Input } from './api.ts';
import type { Change } from './change.ts';
import type { Memory, Summary } from './memory.ts';
import type { routes } from './routes.ts';

type Groups = typeof routes;
type Words<T> = Readonly<Record<keyof T & string, string>>;

/** What an endpoint does, and what each of its parameters is for. */
export interface EndpointWords<I = object> {
  readonly description: string;
  readonly answer: string;
  readonly parameters: Words<I>;
  /** Values to try it with. */
  readonly tries?: Partial<I>;
}

type AllWords<C extends Contract> = {
  readonly [G in keyof C]: { readonly [N in keyof C[G]]: EndpointWords<Input<C[G][N]>> };
};

/** The fields of a memory. */
export const memoryWords: Words<Memory> = {
  id: 'Unique within its account, and case-sensitive.',
  name: 'The title.',
  started_at: 'When it began, in UTC with three decimals.',
  ended_at: 'When it ended, in UTC with three decimals.',
  is_processing: 'Whether the summary is still to come.',
  user_id: 'The id of the account that owns it.',
  duration_seconds: 'How long it is, in whole seconds.',
  summary: 'What was said in short; empty while the memory is still processing.',
  transcript: 'All that was said, or what there is so far.',
};

/** The fields of a summary. */
export const summaryWords: Words<Summary> = {
  quick_summary: 'What was said, in a few sentences.',
  key_takeaways: 'What to keep in mind, one by one.',
};

/** The fields of a change. */
export const changeWords: Words<Change> = {
  memory_id: 'The id of the memory.',
  change: 'Whether it was written, for the first time or again, or deleted.',
  changed_at: 'When that was, in UTC with three decimals.',
};

/** The groups of endpoints. */
export const groupWords: Words<Groups> = {
  memories: 'Recorded sessions: names, times, summaries and transcripts.',
  changes: 'What was written and deleted, for those who keep a copy.',
};

/** The endpoints. */
export const endpointWords: AllWords<Groups> = {
  memories: {
    list: {
      description:
        'Without parameters, the answer is all memories of the account. Filters add up: a memory is listed when it passes all of them. With `limit` the answer is a page, and while more follow, its header `link` leads to the next one; the `cursor` in that link brings the other parameters along.',
      answer: 'The memories, by start and then by id.',
      parameters: {
        limit:
          'How many memories a page holds at most. Left out, it is the limit that the cursor was made with; without a cursor there is none',
        cursor: 'Where the page starts. Goes with `limit` alone',
        order: 'Newest first, which is the default, or oldest first',
        started_after:
          'Only memories that started then or later. A date is the start of that day in `timezone`',
        started_before:
          'Only memories that started before then. A date is the start of that day in `timezone`',
        timezone: 'The time zone of those dates; UTC when left out',
        is_processing: 'Only memories whose summary is still to come, or only those that have one',
        q: 'Only memories that have all of these words, anywhere in name, summary and transcript. Case and accents do not matter',
        fields:
          'Only these fields of each memory; the id always comes. Without transcripts a list is far smaller',
      },
      tries: { limit: 3 },
    },
    get: {
      description: 'The memory of another account is answered as one that does not exist: 404.',
      answer: 'The memory.',
      parameters: {
        memory_id: 'Which memory',
        fields: 'Only these fields of it; the id always comes',
      },
    },
  },
  changes: {
    list: {
      description:
        'For those who keep a copy. Without `since`, the answer begins with the oldest change. Its header `link` leads to what comes after it; the link is there even when nothing has changed, and the cursor in it never expires. A memory comes once in an answer, with its latest change, and in a later answer only if it has changed again. Of a deleted memory nothing is left but the id and the time.',
      answer: 'The changes, oldest first.',
      parameters: {
        since: 'Where to go on; the beginning when left out',
        limit:
          'How many changes an answer holds at most. Left out, it is the limit that the cursor was made with, or else 1000',
      },
      tries: { limit: 3 },
    },
  },
};
