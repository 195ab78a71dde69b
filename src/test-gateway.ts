// openTestGateway: a gateway on a database of its own, for the tests of a program that embeds it.

import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openGateway, type OpenOptions } from './app/server/open-with-app.ts';
import type { Gateway } from './gateway/gateway.ts';
import { accounts, importMemories, keys, migrate, type MemoryToImport } from './setup.ts';

/** A folder of Linux whose files are in memory. */
const IN_MEMORY = '/dev/shm';

/** Options of `openTestGateway`: those of `openGateway`, and what the account has. */
export interface TestGatewayOptions extends Omit<OpenOptions, 'database'> {
  /** The memories of the account. Default: none. */
  readonly memories?: readonly MemoryToImport[] | undefined;
}

/** A gateway for a test, with one account. */
export interface TestGateway {
  readonly gateway: Gateway;
  /** The path of its database, for `importMemories` and the other functions for set-up. */
  readonly database: string;
  /** The id of the account: `test`. */
  readonly account_id: string;
  /** A key of the account, which reads everything. */
  readonly key: string;
  /** Closes the gateway and deletes its database. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a gateway on a new database, with an account, a key and memories. Nothing of it stays after `close()`:
 * on Linux its database is in memory, otherwise in a temporary folder. Rejects as `importMemories` does.
 */
export async function openTestGateway({
  memories = [],
  ...options
}: TestGatewayOptions = {}): Promise<TestGateway> {
  const folder = mkdtempSync(join(isWritable(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'memory-gateway-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const database = join(folder, 'memories.db');
    await migrate(database);
    const account_id = await accounts.create(database, { id: 'test', name: 'Test' });
    const { key } = await keys.create(database, { account_id, label: 'test' });
    await importMemories(database, account_id, memories);
    const gateway = openGateway({ ...options, database });
    const close = async (): Promise<void> => {
      await gateway.close();
      remove();
    };
    return { gateway, database, account_id, key, close };
  } catch (error) {
    remove();
    throw error;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
