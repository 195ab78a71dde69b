// keys create, list, revoke, rotate, check. A key in clear is printed once, on stdout, by the first and fourth.

import * as v from 'valibot';

import { Label } from '../contract/account.ts';
import { apiKeyState, isApiKey } from '../store/apikey.ts';
import type { ApiKeyRecord } from '../store/keys.ts';
import { withWriter } from '../store/writer.ts';
import { none, one } from './accounts.ts';
import { Mistake } from './args.ts';
import { isoTime, showTime, table, type Command } from './command.ts';
import { issue, readStart } from './secret.ts';
import { readSpan, readTime } from './values.ts';

/** The commands of API keys, by name. */
export const keys: Record<string, Command> = {
  'keys create': {
    summary: 'create a key for an account and print it, this once',
    options: ['database', 'account', 'label', 'expires', 'json'],
    run: (args) => {
      none(args);
      const account_id = args.need('account');
      const expires = args.text('expires');
      const expires_at = expires === undefined ? null : readTime('expires', expires, Date.now());
      const label = args.need('label');
      if (!v.is(Label, label)) throw new Mistake(`--label takes ${v.getDescription(Label)}.`);
      return issue(args, (writer) => writer.keys.create({ account_id, label, expires_at }));
    },
  },

  'keys list': {
    summary: 'list the keys, of one account or of all; never the keys themselves',
    options: ['database', 'account', 'json'],
    run: async (args) => {
      none(args);
      const account = args.text('account');
      const list = await withWriter(args.need('database'), async (writer) => {
        if (account !== undefined) await writer.accounts.require(account);
        return writer.keys.list(account);
      });
      return {
        text: table(
          ['ID', 'ACCOUNT', 'LABEL', 'LAST FOUR', 'STATE', 'CREATED', 'EXPIRES'],
          list.map((key) => [
            key.id,
            key.account_id,
            key.label,
            key.last_four,
            state(key),
            showTime(key.created_at),
            showTime(key.expires_at),
          ]),
        ),
        json: list.map(describe),
      };
    },
  },

  'keys revoke': {
    summary: 'revoke a key: it fails from the next request on',
    takes: 'ID',
    options: ['database', 'json'],
    run: async (args) => {
      const id = one(args, 'ID');
      await withWriter(args.need('database'), (writer) => writer.keys.revoke(id));
      return { text: `Key ${id} is revoked.`, json: { id, state: 'revoked' } };
    },
  },

  'keys rotate': {
    summary: 'replace a key by a new one and print that, this once',
    takes: 'ID',
    options: ['database', 'grace', 'json'],
    says: { grace: 'how long the old key goes on, such as 24h; not at all if left out' },
    run: async (args) => {
      const id = one(args, 'ID');
      const grace = readSpan('grace', args.text('grace') ?? '0s');
      const result = await issue(args, (writer) => writer.keys.rotate(id, grace));
      const old =
        grace === 0 ? 'is revoked' : `works until ${showTime(Date.now() + grace)} at most`;
      return { ...result, note: `${result.note} The old key, ${id}, ${old}.` };
    },
  },

  'keys check': {
    summary: 'read a key from standard input and say which record it is',
    options: ['database', 'json'],
    run: async (args) => {
      none(args);
      if (process.stdin.isTTY)
        process.stderr.write('Paste the key, then press Enter and Ctrl-D:\n');
      const key = (await readStart(process.stdin)).trim();
      const well_formed = isApiKey(key);
      const record = well_formed
        ? await withWriter(args.need('database'), (writer) => writer.keys.identify(key))
        : undefined;
      return {
        text: verdict(well_formed, record),
        json: { well_formed, record: record === undefined ? null : describe(record) },
        exit: record !== undefined && state(record) === 'active' ? 0 : 1,
      };
    },
  },
};

function verdict(well_formed: boolean, record: ApiKeyRecord | undefined): string {
  if (!well_formed) return 'This is not a key: its form or its checksum is wrong.';
  if (record === undefined) return 'This is a well-formed key, but it is not in this database.';
  const { id, label, account_id } = record;
  return `This is key ${id} ("${label}") of account ${account_id}: ${state(record)}.`;
}

function state(record: ApiKeyRecord): string {
  return apiKeyState(record, Date.now());
}

function describe(record: ApiKeyRecord) {
  return {
    id: record.id,
    account_id: record.account_id,
    label: record.label,
    last_four: record.last_four,
    state: state(record),
    created_at: isoTime(record.created_at),
    expires_at: isoTime(record.expires_at),
    revoked_at: isoTime(record.revoked_at),
  };
}
