// keys create, list, relabel, revoke, rotate and check.

import * as v from 'valibot';

import { Label } from '../../../contract/schemas/label.ts';
import { DAY_MS, toJsonRecord } from '../../../lib/time.ts';
import { apiKeyState, isApiKey } from '../../../store/accounts/api-key.ts';
import type { ApiKeyRecord } from '../../../store/accounts/api-keys.ts';
import { NO_SCOPE, scopeOf } from '../../../store/scope.ts';
import { idOfAccount, idOfNamed } from '../../args/account.ts';
import { oneArgument, twoArguments } from '../../args/args.ts';
import { withWriter } from '../../args/database.ts';
import { UsageError } from '../../args/parse.ts';
import { formatScope, readScope, scopeOptions, scopeOverrides } from '../../args/scope.ts';
import { issueAndPrint, readKeyInput } from '../../args/secrets.ts';
import { readDuration, readFutureTime } from '../../args/values.ts';
import type { Command, CommandGroup } from '../../command.ts';
import { printError } from '../../output/print.ts';
import { formatTable, formatTime, type Columns } from '../../output/text.ts';
import { keysReadsCommand } from './key-reads.ts';

/** The group of these commands. */
export const keyGroup: CommandGroup = {
  summary: 'Create, list, relabel, revoke, rotate and check API keys',
  about:
    'A client sends an API key with each request, and the key decides which account it reads. Keys are stored as hashes, so a key is shown only when it is created.',
};

const COLUMNS: Columns<ApiKeyRecord> = {
  ID: ({ id }) => id,
  ACCOUNT: ({ account_id }) => account_id,
  LABEL: ({ label }) => label,
  'LAST FOUR': ({ last_four }) => last_four,
  STATE: stateOf,
  SCOPE: (key) => formatScope(scopeOf(key) ?? NO_SCOPE),
  CREATED: ({ created_at }) => formatTime(created_at),
  EXPIRES: ({ expires_at }) => formatTime(expires_at),
  'LAST USED': ({ last_used_at }) => formatTime(last_used_at),
};

/** The commands for API keys, by name. */
export const keyCommands: Record<string, Command> = {
  'keys create': {
    summary: 'Create an API key and print it (shown only once)',
    about:
      'A key reads all memories of its account, with their transcripts, unless you give it a scope. A scope cannot be changed later. "keys rotate" keeps it.',
    options: ['database', 'account', 'label', 'expires', ...scopeOptions, 'json'],
    required: ['account'],
    overrides: scopeOverrides,
    examples: [
      [
        'A key for one device that expires after 90 days',
        'memory-gateway keys create --account mira --label laptop --expires 90d',
      ],
      [
        'A key that reads names, times and summaries of one month, but no transcripts',
        'memory-gateway keys create --account mira --scope summaries --from 2026-11-01 --to 2026-12-01',
      ],
      [
        'A key in a file that only you can read',
        '(umask 077; memory-gateway keys create --account mira > key.txt)',
      ],
    ],
    run: async (args, context) => {
      const given = args.need('account');
      const expires = args.text('expires');
      const expires_at =
        expires === undefined ? null : readFutureTime('expires', expires, Date.now());
      const label = args.need('label');
      if (!v.is(Label, label)) throw new UsageError(`--label takes ${v.getDescription(Label)}.`);
      const scope = await readScope(args);
      const account_id = await idOfAccount(args, given);
      const { note } = await issueAndPrint(args, context, (writer) =>
        writer.keys.create({ account_id, label, expires_at, scope }),
      );
      return { note };
    },
  },

  'keys list': {
    summary: 'List keys: their ids, labels, states, scopes and last use',
    about:
      'The keys themselves are not stored, so only their last four characters are shown. The last use is at most a minute late. It is recorded while "serve" can write to the database and the app is on.',
    options: ['database', 'account', 'json'],
    overrides: { account: { help: 'List only the keys of this account', unset: 'all accounts' } },
    examples: [['The keys of one account', 'memory-gateway keys list --account mira']],
    run: async (args) => {
      const account = await idOfNamed(args);
      const list = await withWriter(args, (writer) => writer.keys.list(account));
      return {
        text: formatTable(list, COLUMNS),
        json: list.map(toJson),
      };
    },
  },

  'keys reads': keysReadsCommand,

  'keys relabel': {
    summary: 'Give a key another label',
    takes: 'ID LABEL',
    options: ['database', 'json'],
    examples: [
      [
        'Name a key after its new device',
        'memory-gateway keys relabel 01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071 "new laptop"',
      ],
    ],
    run: async (args) => {
      const [id, label] = twoArguments(args, ['ID', 'LABEL']);
      if (!v.is(Label, label)) throw new UsageError(`LABEL takes ${v.getDescription(Label)}.`);
      await withWriter(args, (writer) => writer.keys.relabel(id, label));
      return { text: `Key ${id} has the label "${label}".`, json: { id, label } };
    },
  },

  'keys revoke': {
    summary: 'Revoke a key: it stops working at once',
    takes: 'ID',
    options: ['database', 'json'],
    examples: [
      [
        'Revoke a key by its id, which "keys list" shows',
        'memory-gateway keys revoke 01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071',
      ],
    ],
    run: async (args) => {
      const id = oneArgument(args, 'ID');
      await withWriter(args, (writer) => writer.keys.revoke(id));
      return { text: `Key ${id} is revoked.`, json: { id, state: 'revoked' } };
    },
  },

  'keys rotate': {
    summary: 'Replace a key and print the new one (shown only once)',
    about: 'The new key has the label, the lifetime and the scope of the old one.',
    takes: 'ID',
    options: ['database', 'grace', 'json'],
    overrides: {
      grace: {
        help: 'How long the old key still works, such as 24h',
        unset: '0s, the old key stops working at once',
      },
    },
    examples: [
      [
        'Replace a key, and accept both keys for a day',
        'memory-gateway keys rotate 01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071 --grace 24h',
      ],
    ],
    run: async (args, context) => {
      const id = oneArgument(args, 'ID');
      const grace = readDuration('grace', args.text('grace') ?? '0s');
      const issued = await issueAndPrint(args, context, (writer) => writer.keys.rotate(id, grace));
      const old =
        grace === 0 ? 'is revoked' : `works until ${formatTime(Date.now() + grace)} at the latest`;
      const note = `${issued.note} The old key, ${id}, ${old}.`;
      return { note: isShort(issued.expires_at) ? `${note} ${SHORT_LIFE}` : note };
    },
  },

  'keys check': {
    summary: 'Read a key from standard input and show its record',
    about: 'Exit code 0 means that the key works.',
    options: ['database', 'json'],
    examples: [['Check a key in a file', 'memory-gateway keys check < key.txt']],
    run: async (args, context) => {
      if (context.stdin.isTTY)
        printError(context.stderr, 'Paste the key, then press Enter and Ctrl-D:');
      const key = (await readKeyInput(context.stdin.stream)).trim();
      const well_formed = isApiKey(key);
      const record = well_formed
        ? await withWriter(args, (writer) => writer.keys.identify(key))
        : undefined;
      return {
        text: describe(well_formed, record),
        json: { well_formed, record: record === undefined ? null : toJson(record) },
        exit: record !== undefined && stateOf(record) === 'active' ? 0 : 1,
      };
    },
  },
};

const SHORT_LIFE =
  'It lives no longer because the old key was to end soon; if that is too short, use "keys create".';

/** Whether a key ends within two days: the key before it was short-lived, or in its grace period. */
function isShort(expires_at: number | null): boolean {
  return expires_at !== null && expires_at - Date.now() < 2 * DAY_MS;
}

function describe(well_formed: boolean, record: ApiKeyRecord | undefined): string {
  if (!well_formed) return 'This is not an API key: its form or its checksum is wrong.';
  if (record === undefined) return 'This is a well-formed key, but it is not in this database.';
  const { id, label, account_id } = record;
  const scope = scopeOf(record);
  const reads = scope === undefined ? '' : ` Its scope is ${formatScope(scope)}.`;
  return `This is key ${id} ("${label}") of account ${account_id}: ${stateOf(record)}.${reads}`;
}

function stateOf(record: ApiKeyRecord): string {
  return apiKeyState(record, Date.now());
}

function toJson(record: ApiKeyRecord): object {
  const { id, account_id, label, last_four, account_disabled_at: _, ...rest } = record;
  const scope = scopeOf(record) ?? NO_SCOPE;
  const state = stateOf(record);
  return toJsonRecord({ id, account_id, label, last_four, state, ...rest, ...scope });
}
