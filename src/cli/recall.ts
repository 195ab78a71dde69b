// memories list and show: what the API answers, for a person.

import { styleText } from 'node:util';

import type { Api } from '../contract/api.ts';
import { Failure } from '../contract/failure.ts';
import type { Memory } from '../contract/memory.ts';
import { connectGateway } from '../gateway/open.ts';
import { Refusal } from '../store/refusal.ts';
import { withSnapshot } from '../store/snapshot.ts';
import { explain } from '../store/sqlite/file.ts';
import { findAccount } from './account.ts';
import { none, one } from './accounts.ts';
import { Mistake, type Args } from './args.ts';
import { showTime, table, type Command } from './command.ts';
import { plain, plainLine } from './plain.ts';

/** So many characters of a name have a place in a table. */
const NAME = 80;

const FIELDS = ['name', 'started_at', 'ended_at', 'is_processing', 'duration_seconds'] as const;

/** Lists memories of an account, newest first. */
export const listCommand: Command = {
  summary: 'list memories of an account, newest first',
  options: [
    'database',
    'account',
    'limit',
    'q',
    'started-after',
    'started-before',
    'timezone',
    'json',
  ],
  run: async (args) => {
    none(args);
    const input = {
      fields: FIELDS, // without transcripts, which are then not read
      limit: args.need('limit') as unknown as number, // the API reads its text, as all others
      q: args.text('q'),
      started_after: args.text('started-after'),
      started_before: args.text('started-before'),
      timezone: args.text('timezone'),
    };
    const { items, next } = await asAccount(args, (api) => api.memories.page(input));
    const rows = items.map(({ id, name, started_at, duration_seconds }) => [
      showTime(Date.parse(started_at)),
      showDuration(duration_seconds),
      id,
      plainLine(name, NAME),
    ]);
    return {
      text: rows.length === 0 ? 'There are no such memories.' : table(HEAD, rows),
      json: items,
      ...(next === undefined
        ? {}
        : { note: 'There are more; --limit or --started-before shows them.' }),
    };
  },
};

const HEAD = ['STARTED', 'DURATION', 'ID', 'NAME'];

/** Shows one memory. */
export const showCommand: Command = {
  summary: 'show a memory',
  takes: 'ID',
  options: ['database', 'account', 'json'],
  run: async (args) => {
    const memory_id = one(args, 'ID');
    const memory = await asAccount(args, (api) => api.memories.get({ memory_id }));
    return { text: view(memory), json: memory };
  },
};

function view({ id, name, summary, transcript, is_processing, ...times }: Memory): string {
  const { started_at, ended_at, duration_seconds } = times;
  const state = is_processing ? '\nState     processing; its summary is still to come' : '';
  const parts = [
    styleText('bold', plainLine(name, Infinity)),
    `ID        ${id}\nStarted   ${started_at}\nEnded     ${ended_at}\nDuration  ${showDuration(duration_seconds)}${state}`,
    plain(summary.quick_summary),
    summary.key_takeaways.map((each) => `- ${plain(each).replaceAll('\n', '\n  ')}`).join('\n'),
    plain(transcript),
  ];
  return parts
    .map((part) => part.trimEnd())
    .filter(Boolean)
    .join('\n\n');
}

/** Shows seconds as `1:02:03`. */
function showDuration(seconds: number): string {
  const [minutes, hours] = [Math.floor(seconds / 60) % 60, Math.floor(seconds / 3600)];
  return [hours, ...[minutes, seconds % 60].map((part) => String(part).padStart(2, '0'))].join(':');
}

/** Asks the API as the account that is meant. Fails with `Mistake` where the API does with 422, else with `Refusal`. */
async function asAccount<T>(args: Args, ask: (api: Api) => Promise<T>): Promise<T> {
  const database = args.need('database');
  const { id } = await withSnapshot(database, (snapshot) => findAccount(snapshot, args));
  let fault: unknown;
  const error = (fields: object) => void ({ err: fault } = fields as { err: unknown });
  const gateway = await connectGateway({ database, cacheBytes: 0, log: { error } });
  try {
    return await ask(gateway.as(id));
  } catch (failure) {
    if (fault !== undefined) throw explain(fault, database);
    throw failure instanceof Failure ? toSentence(failure, id) : failure;
  } finally {
    await gateway.close();
  }
}

function toSentence({ status, detail }: Failure, account: string): Error {
  if (status === 404)
    return new Refusal(
      `There is no such memory in account ${account}; "memories list" shows those that are there.`,
    );
  if (status === 422) return new Mistake(sayHere(detail));
  return new Refusal(detail);
}

/** A sentence of the API about a parameter, as it is typed here. */
function sayHere(detail: string): string {
  return detail
    .replace(/^The parameter "(\w+)"/, (_, name: string) =>
      name === 'memory_id' ? 'ID' : `--${name.replaceAll('_', '-')}`,
    )
    .replace(/ \(in a query[^)]*\)/, '');
}
