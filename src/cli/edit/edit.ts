// edit: puts the name, the start and the speakers of one memory right, or gives back what was imported.

import { text } from 'node:stream/consumers';

import * as v from 'valibot';

import { NewEdit } from '../../app/contract/edit-input.ts';
import { readProductTime } from '../../formats/time/product-time.ts';
import { localReader } from '../../lib/timezone.ts';
import type { CorrectionResult } from '../../store/details/correct.ts';
import type { NewCorrection } from '../../store/details/new-correction.ts';
import { idOfChosen } from '../args/account.ts';
import { oneArgument, type Args } from '../args/args.ts';
import { UsageError } from '../args/parse.ts';
import { readTimezone } from '../args/values.ts';
import type { Command, CommandResult } from '../command.ts';
import type { Context } from '../context.ts';
import { escapeLine } from '../output/terminal.ts';
import { correct, formatChanged, readCorrection } from './corrections.ts';

/** Puts one memory right. */
export const editCommand: Command = {
  summary: 'Put the name, start or speakers of a memory right',
  about:
    'An edit is kept beside the memory, so later imports keep it, and --reset gives back what was imported. "-" instead of the ID reads one JSON document from standard input, as POST /app/v1/edits takes it.',
  takes: 'ID',
  options: [
    'database',
    'account',
    'name',
    'started-at',
    'speaker',
    'reset',
    'timezone',
    'dry-run',
    'json',
  ],
  overrides: {
    account: { unset: 'the only account' },
    'started-at': { unset: 'as imported', help: 'When it started, such as 2026-11-18T09:00:00Z' },
    timezone: { help: 'Time zone of a start without an offset, such as Europe/Berlin' },
  },
  examples: [
    ['Name a speaker', 'memory-gateway edit standup-2026-11-18 --speaker "Speaker 1=Ann"'],
    [
      'Another name and start',
      'memory-gateway edit standup-2026-11-18 --name "Stand-up" --started-at 2026-11-18T09:00:00Z',
    ],
    ['Take back all edits of a memory', 'memory-gateway edit standup-2026-11-18 --reset'],
  ],
  run: async (args, context) => {
    const memory_id = oneArgument(args, 'ID');
    if (memory_id === '-') return editAsGiven(args, context);
    const corrections = await readEdits(args);
    const isReset = args.flag('reset');
    if (corrections.length === 0 && !isReset)
      throw new UsageError('Give --name, --started-at, --speaker or --reset.');
    const account_id = await idOfChosen(args);
    const removed = isReset ? ('own' as const) : undefined;
    const result = await correct(args, context, { account_id, memory_id, corrections, removed });
    const isDry = args.flag('dry-run');
    return {
      text: [
        formatEdited(memory_id, result, { isDry, isReset }),
        ...result.idle.map(formatIdle),
      ].join('\n'),
      json: {
        account_id,
        memory_id,
        dry_run: isDry,
        changed: result.changed.length > 0,
        removed: result.removed,
        without_effect: result.idle,
      },
    };
  },
};

/** Makes the edit on standard input, where no process list shows what it says. */
async function editAsGiven(args: Args, context: Context): Promise<CommandResult> {
  const isTwice = (await readEdits(args)).length > 0 || args.flag('reset');
  if (isTwice) throw new UsageError('Give the edit on standard input or as options, but not both.');
  const { memory_id, ...edit } = parseEdit(await text(context.stdin.stream));
  const account_id = await idOfChosen(args);
  const request = { account_id, memory_id, corrections: correctionsOf(edit) };
  return formatChanged(await correct(args, context, request), args.flag('dry-run'));
}

function parseEdit(given: string): NewEdit {
  let values: unknown;
  try {
    values = JSON.parse(given);
  } catch {
    throw new UsageError('Give the edit on standard input as one JSON document.');
  }
  const checked = v.safeParse(NewEdit, values);
  if (checked.success) return checked.output;
  const [{ path, message }] = checked.issues;
  const where = path === undefined ? '' : ` at "${v.getDotPath(checked.issues[0])}"`;
  throw new UsageError(`The edit on standard input has a fault${where}: ${message}`);
}

function correctionsOf({ name, started_at, speakers = [] }: NewEdit): NewCorrection[] {
  return [
    ...(name === undefined ? [] : [{ field: 'name', old: null, new: name } as const]),
    ...(started_at === undefined
      ? []
      : [{ field: 'started_at', old: null, new: started_at } as const]),
    ...speakers.map(({ from, to }) => ({ field: 'speaker', old: from, new: to }) as const),
  ];
}

async function readEdits(args: Args): Promise<NewCorrection[]> {
  const edits: NewCorrection[] = [];
  const name = args.text('name');
  if (name !== undefined)
    edits.push(readCorrection({ field: 'name', old: null, new: name }, '--name'));
  const start = args.text('started-at');
  if (start !== undefined) {
    const at = readProductTime(start, await localReader(readTimezone(args.text('timezone'))));
    const time = at === undefined ? start : new Date(at).toISOString();
    edits.push(readCorrection({ field: 'started_at', old: null, new: time }, '--started-at'));
  }
  for (const pair of args.all('speaker')) {
    const [, old = '', to = ''] = /^\s*(.+?)\s*=\s*(.+?)\s*$/.exec(pair) ?? [];
    if (old === '') throw new UsageError(`--speaker takes OLD=NEW, not "${escapeLine(pair, 80)}".`);
    edits.push(readCorrection({ field: 'speaker', old, new: to }, '--speaker'));
  }
  return edits;
}

function formatEdited(
  id: string,
  { changed }: CorrectionResult,
  { isDry, isReset }: { readonly isDry: boolean; readonly isReset: boolean },
): string {
  if (changed.length === 0) return `Memory ${id} ${isDry ? 'would stay' : 'stays'} as it is.`;
  const end = isReset && !isDry ? ', without its earlier edits' : '';
  return `Memory ${id} ${isDry ? 'would be' : 'is'} changed${end}.`;
}

/** Says why an edit has no effect. */
function formatIdle({ field, old, new: to }: NewCorrection): string {
  const why =
    field === 'speaker'
      ? `It has no speaker "${old}" to rename`
      : `Its ${field === 'name' ? 'name' : 'start'} is ${to} already`;
  return escapeLine(`${why}. The edit is kept for later imports.`);
}
