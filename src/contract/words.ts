// Words: what the OpenAPI document says of each part of the contract; nothing that serves or calls reads them.

import type { Contract, Input } from './api.ts';
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
        'Without parameters, the answer is all memories of the account. With `limit` it is a page, and while more follow, its header `link` leads to the next; the `cursor` in it carries the other parameters, and goes with `limit` alone or with nothing.',
      answer: 'The memories, by start and then by id.',
      parameters: {
        limit: 'How many memories a page holds at most',
        cursor: 'Where the page starts',
        order: 'Newest first, the default, or oldest first',
        started_after: 'Only memories that started then or later; a date is the start of that day',
        started_before: 'Only memories that started earlier; a date is the start of that day',
        timezone: 'Where those dates are; UTC when left out',
        is_processing: 'Only memories whose summary is still to come, or is there',
        q: 'Only memories with all of these words in name, summary or transcript; case and accents do not matter',
        fields: 'Only these fields of each memory; the id always comes',
      },
      tries: { limit: 3 },
    },
    get: {
      description: 'A memory of another account is as little there as one that never was.',
      answer: 'The memory.',
      parameters: {
        memory_id: 'Which memory',
        fields: 'Only these fields of the memory; the id always comes',
      },
    },
  },
  changes: {
    list: {
      description:
        'Each memory comes once, at its latest change, and again in a later answer when it has changed again. The header `link` always has the cursor to come back with, which never expires. A deleted memory leaves its id and the time.',
      answer: 'The changes, oldest first.',
      parameters: {
        since: 'Where to go on; from the beginning when left out',
        limit: 'How many changes to give at most; 1000 when left out',
      },
      tries: { limit: 3 },
    },
  },
};
