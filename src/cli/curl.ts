// curl: lines of it that work, ready to paste, and what else the demo says.

import { Refusal } from '../store/refusal.ts';
import { openStore } from '../store/sqlite.ts';

/** The account whose memories the curl lines read, and a word that comes up in some of them. */
const SHOWN = 'mira';
const WORD = 'fridge';

/** An account of the demo, with a key to it. */
export interface DemoAccount {
  readonly id: string;
  readonly name: string;
  readonly memories: number;
  readonly key: string;
}

/** What is served, and of it what is shown. */
interface Shown {
  readonly url: string;
  readonly database: string;
  readonly accounts: readonly DemoAccount[];
  readonly shown: DemoAccount;
}

/** Writes what a person reads when the demo is served. */
export function showCurl({ url, database, accounts, shown }: Shown): string {
  const total = accounts.reduce((sum, { memories }) => sum + memories, 0);
  const curl = `curl -s -H 'Authorization: Bearer ${shown.key}'`;
  return [
    `Memory Gateway serves ${total} memories of ${accounts.length} accounts at ${url} from ${database}.`,
    '',
    `The newest memories of ${shown.name}, one of them, and the names of those with "${WORD}" in them:`,
    '',
    `${curl} '${url}/v1/memories?limit=3'`,
    `${curl} '${url}/v1/memories/${newestFinished(database, shown.id)}'`,
    `${curl} '${url}/v1/memories?q=${WORD}&fields=name'`,
    '',
    'Keys of the accounts, good for 30 days:',
    ...accounts.map(({ name, key }) => `  ${key}  ${name}`),
    '',
    `The API as a page, to try with one of them: ${url}/docs`,
    '',
    'Press Ctrl-C to stop.',
  ].join('\n');
}

/** The account whose memories are shown. Fails with `Refusal` when none has any. */
export function chooseShown(database: string, accounts: readonly DemoAccount[]): DemoAccount {
  const withMemories = accounts.filter(({ memories }) => memories > 0);
  const shown = withMemories.find(({ id }) => id === SHOWN) ?? withMemories[0];
  if (shown !== undefined) return shown;
  throw new Refusal(`${database} has no memory to show; name another file with --database.`);
}

/** The id of the newest memory that is not being processed any more, or of the newest. */
function newestFinished(database: string, account_id: string): string {
  const store = openStore(database);
  try {
    const newest = { account_id, order: 'desc', bytes: 'slim', limit: 1 } as const;
    const { items } = store.positions({ ...newest, is_processing: false });
    return (items[0] ?? store.positions(newest).items[0])?.id ?? '';
  } finally {
    store.close();
  }
}
