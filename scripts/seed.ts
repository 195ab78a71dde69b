// npm run seed: accounts, keys of every state, and memories, for demos and tests.

import type { parseStrictly } from '../src/cli/args/parse.ts';
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
import { flag, readWhole, runScript, say, word } from './command.ts';
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
    accounts: readWhole('accounts', accounts, { fallback: 3, least: 1, most: 10_000 }),
    memories: readWhole('memories', memories, { fallback: 50, least: 0, most: 100_000_000 }),
    size: readWhole('size', size, { fallback: 4000, least: 0, most: 10_000_000 }),
    random: readWhole('random', random, { fallback: 1, least: 0, most: 999_999_999 }),
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
    for (const account of accounts) {
      const { id, name, isDisabled = false } = account;
      await writer.accounts.setDisabled(id, isDisabled);
      const memories = await writer.memories.count(id);
      const keys = await issueKeys(writer, account);
      seeded.push({ id, name, keys, memories });
    }
    return seeded;
  });
}

async function issueKeys(
  { keys }: Writer,
  { id: account_id, isDisabled = false }: SeedAccount,
): Promise<SeededAccount['keys']> {
  const issue = async (state: ApiKeyState, expires_at: number | null = null) => {
    const label = state === 'active' ? 'seed' : `seed, ${state}`;
    const { id, key } = await keys.create({ account_id, label, expires_at });
    if (state === 'revoked') await keys.revoke(id);
    return { key, state };
  };
  if (isDisabled) return [await issue('disabled')];
  return [await issue('active'), await issue('revoked'), await issue('expired', Date.now())];
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
