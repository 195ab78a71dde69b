// A small world for tests of the app's store: two accounts, and the store as the app's own user opens it.

import type { TestContext } from 'node:test';

import { hashSecret } from '../../../src/store/app/access.ts';
import { engineOf } from '../../../src/store/engines.ts';
import { appAddress } from '../engines/database-addresses.ts';
import { engine } from '../engines/engine.ts';
import { newFolder } from './artifacts.ts';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
/** The browser of all sign-ins. */
export const AGENT = 'Firefox on Linux';

/** Creates a database with the accounts `ana` and `bo`, and opens the app's store on it. */
export async function createApp(t: TestContext) {
  const database = engine.create(t, newFolder());
  const writer = engine.write(t, database);
  for (const id of ['ana', 'bo'])
    writer.accounts.create({ id, name: `Name of ${id}`, created_by: 'command line' });
  /** Opens the store once more, as another process does. */
  const open = async () => {
    const opened = await engineOf(appAddress(database)).openApp();
    t.after(() => opened.close());
    return opened;
  };
  const app = await open();
  const signIn = async (account_id = 'ana', is_short = false) => {
    const asked = { account_id, way: 'link', agent: AGENT, is_short } as const;
    const { token, session } = await app.sessions.create(asked);
    return { token, session, find: () => app.sessions.find(hashSecret(token)) };
  };
  return { database, writer, app, open, signIn };
}

/** Lets the clock of this process stand at a time until the test ends. */
export function setClock(t: TestContext, now: number): void {
  t.mock.restoreAll();
  t.mock.method(Date, 'now', () => now);
}
