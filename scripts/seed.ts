// npm run seed: accounts, keys of every state, and memories, for demos and tests.

import { UsageError, type parseStrictly } from '../src/cli/args/parse.ts';
import {
  readFixtures,
  withSeedDatabase,
  writeMemories,
  type SeedAccount,
} from '../src/cli/commands/database/seed.ts';
import { withProgress } from '../src/cli/output/progress.ts';
import { processContext } from '../src/cli/process.ts';
import type { Awaitable } from '../src/lib/async.ts';
import type { ApiKeyState } from '../src/store/accounts/api-key.ts';
import { showDatabase } from '../src/store/address.ts';
import type { Writer } from '../src/store/engine.ts';
import { flag, runScript, say, word } from './command.ts';
import { generate } from './generate.ts';

const HELP = `Creates a database with sample accounts, API keys in every state, and memories.

Usage: npm run seed -- [OPTIONS]

  --database FILE  SQLite file, created if it does not exist, or the address of an empty PostgreSQL
                   database [default: demo.db] [env: MEMORY_GATEWAY_DATABASE]
  --accounts N     Create N accounts, and one that is disabled [default: 3]
  --memories N     Create N memories in each account [default: 50]
  --size BYTES     Approximate size of a memory as JSON [default: 4000]
  --random SEED    Number that determines the memories; the same number gives the same memories [default: 1]
  --json           Print the accounts and their keys as JSON
  --help           Show this help

Without --accounts, --memories, --size and --random, the accounts and memories of fixtures/ are used.
If you run it again on its own database, it adds what is missing and issues new keys.
`;

const options = {
  database: word,
  accounts: word,
  memories: word,
  size: word,
  random: word,
  json: flag,
};

type Values = ReturnType<typeof parseStrictly<{ options: typeof options }>>['values'];

await runScript({ name: 'seed', help: HELP, options }, async ({ values }) => {
  const database = values.database || process.env['MEMORY_GATEWAY_DATABASE'] || 'demo.db';
  const accounts = await seed(database, chooseAccounts(values));
  const name = showDatabase(database);
  say(values.json ? JSON.stringify({ database: name, accounts }) : show(name, accounts));
});

function chooseAccounts({ accounts, memories, size, random }: Values): SeedAccount[] {
  const isPlain = [accounts, memories, size, random].every((value) => value === undefined);
  const amounts = {
    accounts: whole('accounts', accounts, { fallback: 3, least: 1, most: 10_000 }),
    memories: whole('memories', memories, { fallback: 50, least: 0, most: 100_000_000 }),
    size: whole('size', size, { fallback: 4000, least: 0, most: 10_000_000 }),
    random: whole('random', random, { fallback: 1, least: 0, most: 999_999_999 }),
  };
  // Other accounts never have a negative number, so no other database has this account enabled.
  const closed = generate({ ...amounts, accounts: 1, memories: 3, random: -1 - amounts.random });
  return [
    ...(isPlain ? readFixtures() : generate(amounts)),
    ...closed.map((account) => ({ ...account, isDisabled: true })),
  ];
}

function seed(
  database: string,
  accounts: readonly SeedAccount[],
): Promise<readonly SeededAccount[]> {
  const total = accounts.reduce((sum, { count }) => sum + count, 0);
  return withProgress(processContext, { total, unit: 'memories' }, (progress) =>
    withSeedDatabase(database, accounts, async (writer) => {
      let written = 0;
      await writeMemories(writer, accounts, (more) => progress.to((written += more)));
      return issueSeedKeys(writer, accounts);
    }),
  );
}

/** A seeded account, with its keys in clear. They are stored as hashes only. */
interface SeededAccount {
  readonly id: string;
  readonly name: string;
  readonly keys: readonly { readonly key: string; readonly state: ApiKeyState }[];
  readonly memories: number;
}

/** Issues a disabled key for a disabled account, and an active, a revoked and an expired key for others. */
function issueSeedKeys(
  writer: Writer,
  accounts: readonly SeedAccount[],
): Awaitable<readonly SeededAccount[]> {
  return writer.transaction(async () => {
    const seeded: SeededAccount[] = [];
    for (const { id, name, isDisabled = false } of accounts) {
      await writer.accounts.setDisabled(id, isDisabled);
      const memories = await writer.memories.count(id);
      const keys = await (isDisabled
        ? disabledAccountKeys(writer, id)
        : activeAccountKeys(writer, id));
      seeded.push({ id, name, keys, memories });
    }
    return seeded;
  });
}

async function activeAccountKeys(
  { keys }: Writer,
  account_id: string,
): Promise<SeededAccount['keys']> {
  const active = await keys.create({ account_id, label: 'seed', expires_at: null });
  const revoked = await keys.create({ account_id, label: 'seed, revoked', expires_at: null });
  await keys.revoke(revoked.id);
  const ended = { account_id, label: 'seed, expired', expires_at: Date.now() };
  const expired = await keys.create(ended);
  return [
    { key: active.key, state: 'active' },
    { key: revoked.key, state: 'revoked' },
    { key: expired.key, state: 'expired' },
  ];
}

async function disabledAccountKeys(
  { keys }: Writer,
  account_id: string,
): Promise<SeededAccount['keys']> {
  const { key } = await keys.create({ account_id, label: 'seed, disabled', expires_at: null });
  return [{ key, state: 'disabled' }];
}

interface Bounds {
  readonly fallback: number;
  readonly least: number;
  readonly most: number;
}

function whole(name: string, text: string | undefined, bounds: Bounds): number {
  const { fallback, least, most } = bounds;
  if (text === undefined) return fallback;
  if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new UsageError(`--${name} takes a whole number from ${least} to ${most}, not "${text}".`);
}

function show(database: string, accounts: readonly SeededAccount[]): string {
  const lines = accounts.flatMap(({ id, name, memories, keys }) => [
    `${name} (${id}), ${memories} memories`,
    ...keys.map(({ key, state }) => `  ${state.padEnd(8)}  ${key}`),
  ]);
  return [
    `${database} is ready. The keys are shown this once:`,
    ...lines,
    `Serve it with: npm run -s cli -- serve --database ${database}`,
  ].join('\n');
}
