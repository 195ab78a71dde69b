// npm run seed: accounts, keys of every state, and memories, for demos and tests.

import { Mistake, parseStrictly } from '../src/cli/args.ts';
import { runToExit } from '../src/cli/exit.ts';
import { refuseSecrets } from '../src/cli/file.ts';
import { fill, issueKeys, withSeeded, type Seeded } from '../src/cli/fill.ts';
import { readFixtures, type SeedAccount } from '../src/cli/fixtures.ts';
import { print } from '../src/cli/print.ts';
import { withProgress } from '../src/cli/progress.ts';
import { showDatabase } from '../src/store/address.ts';
import { generate } from './generate.ts';

const HELP = `Makes a database with accounts, keys (active, revoked, expired, of a disabled account) and memories.

Usage: npm run seed -- [OPTIONS]

  --database FILE  the SQLite file (else $MEMORY_GATEWAY_DATABASE, demo.db), made if there is none;
                   or the address of an empty PostgreSQL database
  --accounts N     make N accounts (else 3), and one that is disabled
  --memories N     make N memories in each account (else 50)
  --size BYTES     about how much JSON a memory has (else 4000)
  --random SEED    a whole number; the same number makes the same memories (else 1)
  --json           print the accounts and their keys as JSON and nothing else
  --help           show this

Without --accounts, --memories, --size and --random, the accounts and memories of fixtures/ are used.
Run again on its own database, it adds what is missing and issues new keys.
`;

const word = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  database: word,
  accounts: word,
  memories: word,
  size: word,
  random: word,
  json: flag,
  help: flag,
};

type Values = ReturnType<typeof parseStrictly<{ options: typeof options }>>['values'];

process.exitCode = await runToExit('seed', async () => {
  refuseSecrets(process.argv.slice(2));
  const { values } = parseStrictly({ options });
  if (values.help) {
    print(HELP.trimEnd());
    return 0;
  }
  const database = values.database || process.env['MEMORY_GATEWAY_DATABASE'] || 'demo.db';
  const accounts = await seed(database, chooseAccounts(values));
  const name = showDatabase(database);
  print(values.json ? JSON.stringify({ database: name, accounts }) : show(name, accounts));
  return 0;
});

function chooseAccounts({ accounts, memories, size, random }: Values): SeedAccount[] {
  const isPlain = [accounts, memories, size, random].every((value) => value === undefined);
  const amounts = {
    accounts: whole('accounts', accounts, { fallback: 3, least: 1, most: 10_000 }),
    memories: whole('memories', memories, { fallback: 50, least: 0, most: 100_000_000 }),
    size: whole('size', size, { fallback: 4000, least: 0, most: 10_000_000 }),
    random: whole('random', random, { fallback: 1, least: 0, most: 999_999_999 }),
  };
  // Below zero no other account's number is: what is closed here was never open elsewhere.
  const closed = generate({ ...amounts, accounts: 1, memories: 3, random: -1 - amounts.random });
  return [
    ...(isPlain ? readFixtures() : generate(amounts)),
    ...closed.map((account) => ({ ...account, isClosed: true })),
  ];
}

function seed(database: string, accounts: readonly SeedAccount[]): Promise<readonly Seeded[]> {
  const total = accounts.reduce((sum, { count }) => sum + count, 0);
  return withProgress({ total, unit: 'memories' }, (progress) =>
    withSeeded(database, accounts, async (writer) => {
      let written = 0;
      await fill(writer, accounts, (more) => progress.to((written += more)));
      return issueKeys(writer, accounts);
    }),
  );
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
  throw new Mistake(`--${name} takes a whole number from ${least} to ${most}, not "${text}".`);
}

function show(database: string, accounts: readonly Seeded[]): string {
  const lines = accounts.flatMap(({ id, name, memories, keys }) => [
    `${name} (${id}), ${memories} memories`,
    ...keys.map(({ key, state }) => `  ${state.padEnd(8)}  ${key}`),
  ]);
  return [
    `${database} is ready. The keys are shown this once:`,
    ...lines,
    `Serve it with: npm start -- --database ${database}`,
  ].join('\n');
}
