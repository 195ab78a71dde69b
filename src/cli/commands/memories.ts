// memories list, show and delete, and the bin.

import { styleText } from 'node:util';

import type { Memory } from '../../contract/schemas/memory.ts';
import type { TranscriptLines } from '../../contract/schemas/part.ts';
import { oneArgument } from '../args/args.ts';
import { choiceOptions, parametersOf } from '../args/parameters.ts';
import { UsageError } from '../args/parse.ts';
import { readLineRanges } from '../args/values.ts';
import type { Command, CommandResult } from '../command.ts';
import type { CommandGroups } from '../help.ts';
import { escapeControls } from '../output/terminal.ts';
import { formatName, formatTable, formatTime, type Columns } from '../output/text.ts';
import { callAsAccount } from './accounts/account-api.ts';
import { binCommands, binGroup } from './bin.ts';
import { memoriesDeleteCommand } from './delete.ts';
import { duplicatesCommand } from './duplicates.ts';
import { memoriesOriginalCommand } from './original.ts';

/** The groups of these commands, by their first word. */
export const memoryGroups: CommandGroups = {
  memories: {
    summary: 'List, show and delete memories',
    about: 'A memory is one recorded conversation: its name, times, summary and transcript.',
  },
  bin: binGroup,
};

const FIELDS = ['name', 'started_at', 'ended_at', 'is_processing', 'duration_seconds'] as const;

const COLUMNS: Columns<Pick<Memory, 'id' | (typeof FIELDS)[number]>> = {
  STARTED: ({ started_at }) => formatTime(Date.parse(started_at)),
  DURATION: ({ duration_seconds }) => formatDuration(duration_seconds),
  ID: ({ id }) => id,
  NAME: ({ name }) => formatName(name),
};

/** Lists memories of an account, newest first. */
const listCommand: Command = {
  summary: 'List memories of an account, newest first',
  about: 'The options mean the same as the parameters of the API.',
  options: [
    'database',
    'account',
    'limit',
    'cursor',
    'order',
    'q',
    ...choiceOptions,
    'fields',
    'json',
  ],
  overrides: { account: { unset: 'the only account' } },
  examples: [
    ['The 20 newest memories', 'memory-gateway memories list --account mira'],
    [
      'Search for a word and a phrase',
      `memory-gateway memories list --account mira --q 'fridge "half past"'`,
    ],
    [
      'What two people said together at work',
      'memory-gateway memories list --account mira --person Mira --person Tomas --tag work',
    ],
    [
      'One day in Berlin',
      'memory-gateway memories list --account mira --started-after 2026-11-18 --started-before 2026-11-19 --timezone Europe/Berlin',
    ],
  ],
  run: async (args) => {
    const fields = args.text('fields');
    if (fields !== undefined && !args.flag('json')) throw new UsageError('--fields needs --json.');
    const cursor = args.text('cursor');
    const input = {
      // Without transcripts, so that these are not read. A cursor carries its fields.
      fields:
        (fields?.split(',') as typeof FIELDS | undefined) ??
        (cursor === undefined ? FIELDS : undefined),
      ...parametersOf(args, ['limit', 'cursor', 'order', 'q', ...choiceOptions]),
    };
    const { items, next } = await callAsAccount(args, (api) => api.memories.page(input));
    const more =
      next === undefined ? {} : { more: `There are more. See them with --cursor ${next}` };
    if (args.flag('json')) return { json: items, ...more };
    if (items.some(({ started_at }) => started_at === undefined))
      throw new UsageError('This cursor is of a list with other fields; add --json.');
    return {
      text: items.length === 0 ? 'There are no such memories.' : formatTable(items, COLUMNS),
      ...more,
    };
  },
};

/** Shows one memory. */
const showCommand: Command = {
  summary: 'Show one memory with its summary and transcript',
  takes: 'ID',
  options: ['database', 'account', 'lines', 'times', 'json'],
  overrides: { account: { unset: 'the only account' } },
  examples: [
    ['A memory for people', 'memory-gateway memories show standup-2026-11-18 --account mira'],
    [
      'The same memory as the API returns it',
      'memory-gateway memories show standup-2026-11-18 --account mira --json',
    ],
    [
      'A part of a long transcript, with line numbers',
      'memory-gateway memories show standup-2026-11-18 --account mira --lines 120-160',
    ],
    [
      'The same with the time of each line in the recording',
      'memory-gateway memories show standup-2026-11-18 --account mira --lines 120-160 --times',
    ],
  ],
  run: async (args) => {
    const memory_id = oneArgument(args, 'ID');
    const wanted = args.text('lines');
    const times = args.flag('times') || undefined;
    if (wanted !== undefined) {
      const input = { memory_id, ...readLineRanges(wanted), times };
      return formatLines(await callAsAccount(args, (api) => api.memories.lines(input)));
    }
    if (times) throw new UsageError('--times needs --lines.');
    const memory = await callAsAccount(args, (api) => api.memories.get({ memory_id }));
    return { text: formatMemory(memory), json: memory };
  },
};

function formatLines(lines: TranscriptLines): CommandResult {
  const { total, first, last, text, starts_ms } = lines;
  if (total === 0) return { text: 'The transcript is empty.', json: lines };
  const width = String(last).length;
  const numbered = text.split('\n').map((line, i) => {
    const number = String(first + i).padStart(width);
    const time = starts_ms ? [formatStart(starts_ms[i])] : [];
    return [number, ...time, escapeControls(line)].join('  ').trimEnd();
  });
  const notes = [
    ...(starts_ms === null ? ['Its source does not say when the lines start.'] : []),
    ...(last < total ? [`The transcript has ${total} lines.`] : []),
  ];
  const more = notes.length > 0 ? { note: notes.join(' ') } : {};
  return { text: numbered.join('\n'), json: lines, ...more };
}

function formatStart(ms: number | null | undefined): string {
  return (ms == null ? '' : formatDuration(Math.floor(ms / 1000))).padStart('0:00:00'.length);
}

function formatMemory({ id, name, summary, transcript, is_processing, ...times }: Memory): string {
  const { started_at, ended_at, duration_seconds } = times;
  const state = is_processing ? '\nState     processing; the summary is not ready yet' : '';
  const parts = [
    styleText('bold', formatName(name, Infinity)),
    `ID        ${id}\nStarted   ${started_at}\nEnded     ${ended_at}\nDuration  ${formatDuration(duration_seconds)}${state}`,
    escapeControls(summary.quick_summary),
    summary.key_takeaways
      .map((each) => `- ${escapeControls(each).replaceAll('\n', '\n  ')}`)
      .join('\n'),
    escapeControls(transcript),
  ];
  return parts
    .map((part) => part.trimEnd())
    .filter(Boolean)
    .join('\n\n');
}

/** Formats seconds as `1:02:03`. */
function formatDuration(seconds: number): string {
  const [minutes, hours] = [Math.floor(seconds / 60) % 60, Math.floor(seconds / 3600)];
  return [hours, ...[minutes, seconds % 60].map((part) => String(part).padStart(2, '0'))].join(':');
}

/** The commands for memories, by name. */
export const memoryCommands: Record<string, Command> = {
  'memories list': listCommand,
  'memories show': showCommand,
  'memories original': memoriesOriginalCommand,
  'memories delete': memoriesDeleteCommand,
  duplicates: duplicatesCommand,
  ...binCommands,
};
