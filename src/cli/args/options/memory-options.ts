// The options that say which memories are meant, what is shown of them, and what is put right in them.

import type { Option } from './option.ts';

/** The options that choose memories, and parts of them. */
export const memoryOptions = {
  limit: { value: 'N', default: '20', help: 'List at most this many memories, 1 to 1000' },
  q: {
    value: 'TEXT',
    help: 'Only memories with all of these words, a "phrase" or a prefix*',
  },
  person: {
    multiple: true,
    value: 'NAME',
    unset: 'any',
    help: 'Only memories with this person; repeat the option for all of several',
  },
  tag: { value: 'NAME', unset: 'any', help: 'Only memories with this folder, tag or star' },
  source: { value: 'NAME', unset: 'any', help: 'Only memories from this product: limitless' },
  'started-after': {
    value: 'TIME',
    help: 'Only memories that started then or later: 2026-11-18, or 2026-11-18T09:00:00Z',
  },
  lines: {
    value: 'LINES',
    unset: 'the whole memory',
    help: 'Show only these lines of the transcript: 120-160, 120- or 120',
  },
  times: { help: 'Show when each of these lines starts in the recording' },
  details: { help: 'Add to each memory what its source knew besides, and what was put right' },
  order: { value: 'ORDER', unset: 'desc', help: 'desc for newest first, asc for oldest first' },
  fields: {
    value: 'NAMES',
    unset: 'those of the table',
    help: 'Fields for --json, such as name,summary',
  },
  memory: { value: 'ID', unset: 'all memories', help: 'Search only this memory' },
  'max-tokens': {
    value: 'N',
    unset: 'no budget',
    help: 'Budget of the response in tokens of 4 bytes, 100 to 20000',
  },
  'is-processing': {
    value: 'BOOLEAN',
    unset: 'both',
    help: 'Only memories that are still processing: true or false',
  },
  cursor: { value: 'CURSOR', unset: 'the first page', help: 'Continue after an earlier page' },
  'started-before': { value: 'TIME', help: 'Only memories that started before then' },
  timezone: {
    value: 'ZONE',
    unset: 'UTC',
    help: 'Time zone of dates and of times without an offset, such as Europe/Berlin',
  },
} as const satisfies Record<string, Option>;

/** The options that say what is to be put right in a memory. */
export const editOptions = {
  name: { value: 'NAME', unset: 'as imported', help: 'Name of the memory' },
  speaker: {
    value: 'OLD=NEW',
    multiple: true,
    unset: 'as imported',
    help: 'Name of a speaker, such as "Speaker 1=Ann"; repeat the option for several',
  },
  reset: { help: 'Take back the earlier edits of this memory' },
} as const satisfies Record<string, Option>;
