// Server: the reads of one server, each one prepared statement that tells the state of the account it was read in.

import { showDatabase } from '../address.ts';
import { damaged, isWholeText } from '../integrity.ts';
import * as shared from '../reads.ts';
import type { Account, ApiKey, Dated, Feed, Since, StoredMemory, Wanted } from '../store.ts';
import { prepare } from './build.ts';
import type { Connections } from './driver.ts';
import * as lookup from './lookup.ts';
import { bytesOf, pagesOf, type Pages } from './pages.ts';
import * as reads from './reads.ts';

const account = prepare(shared.account);
const apiKey = prepare(lookup.apiKey);
const memory = { body: prepare(reads.memory.body), slim: prepare(reads.memory.slim) };
const changes = prepare(reads.changes);

/** The reads of a server; one that finds no account tells no `revision`. */
export interface Server extends Pages {
  /** How many reads there have been. */
  count(): number;
  apiKey(key_sha256: string): Promise<ApiKey | undefined>;
  account(id: string): Promise<Account | undefined>;
  memory(wanted: Wanted): Promise<Dated & { readonly found: StoredMemory | undefined }>;
  changes(since: Since): Promise<Feed>;
}

/** The reads of the server that is connected to. */
export function readsOf({ query: ask, address }: Connections): Server {
  const name = showDatabase(address);
  let count = 0;
  const query: typeof ask = (prepared, values) => {
    count++;
    return ask(prepared, values);
  };

  return {
    count: () => count,
    async apiKey(key_sha256) {
      const [found] = await query(apiKey(), { key_sha256 });
      return found?.key_sha256 === key_sha256 ? found : undefined;
    },
    account: async (id) => (await query(account(), { id }))[0],
    async memory(wanted) {
      const [row] = await query(memory[wanted.bytes](), wanted);
      const revision = row?.revision;
      if (!row?.body_sha256) return { revision, found: undefined };
      const { body_sha256, text, sha256 } = row;
      if (text === null && body_sha256 === wanted.known)
        return { revision, found: { revision, body_sha256, bytes: null } };
      if (text === null || !isWholeText(text, sha256, wanted)) throw damaged(name, wanted);
      return { revision, found: { revision, body_sha256, bytes: bytesOf(text) } };
    },
    ...pagesOf(query, name),
    async changes({ account_id, mark: since, limit }) {
      const rows = await query(changes(), { account_id, ...since, limit });
      const last = rows.at(-1);
      const found = rows.flatMap(({ seq, memory_id, change, changed_at }) =>
        seq === null || memory_id === null || change === null || changed_at === null
          ? []
          : [{ seq, memory_id, change, changed_at }],
      );
      const mark = { seq: last?.seq ?? last?.since ?? 0, epoch: last?.epoch ?? '' };
      return { revision: last?.revision, changes: found, mark };
    },
  };
}
