// The store on a SQLite file: read-only, with every query prepared once per connection.

import type { Database } from 'better-sqlite3';

import { damagedMemory, isIntact, lostMemory, misattributedKey } from '../check/on-read.ts';
import { recentChecks } from '../check/recent.ts';
import { scopeOf } from '../scope.ts';
import { perCount } from '../sql/facets.ts';
import * as reads from '../sql/reads.ts';
import type { ApiKey, MemoryQuery, Projection, SyncStore } from '../store.ts';
import { changeReads } from './changes.ts';
import { chunkReads } from './chunks.ts';
import { explainSqlite, openFile } from './connection.ts';
import { dayReads } from './days.ts';
import { detailReads } from './details/reads.ts';
import { requireCurrentSchema } from './errors.ts';
import { listReads } from './lists.ts';
import { positionReads } from './positions.ts';
import { schemaCheck } from './schema.ts';
import { placeReads } from './search/places.ts';
import { searchReads } from './search/postings.ts';
import { vectorReads } from './search/vectors.ts';
import { prepareOn } from './statements.ts';
import { cacheKeys, readConsistently, watchDataVersion } from './watch/data-version.ts';
import { followFile, type FollowedConnection } from './watch/follow.ts';

/**
 * Opens a SQLite file for reading, and follows its name: if another file gets the name, it reads that.
 * Throws `Refusal` if the file is missing, foreign, older or newer. Reads throw for as long as it is.
 */
export function openStore(path: string): SyncStore {
  const { run, runAsOne, close } = followFile(path, openReads);
  return {
    apiKey: (sha256, at = Date.now()) => run((now) => now.apiKey(sha256, at)),
    account: (id) => run((now) => now.account(id)),
    memory: (query) => run((now) => now.memory(query)),
    items: (range, maxBytes) => run((now) => now.items(range, maxBytes)),
    chunk: (range, maxBytes) => run((now) => now.chunk(range, maxBytes)),
    positions: (range) => run((now) => now.positions(range)),
    changes: (range) => run((now) => now.changes(range)),
    memoryCount: (range, most) => run((now) => now.memoryCount(range, most)),
    days: (range) => run((now) => now.days(range)),
    postings: (range) => run((now) => now.postings(range)),
    places: (account_id, keys) => run((now) => now.places(account_id, keys)),
    vocabulary: (range) => run((now) => now.vocabulary(range)),
    details: (query) => run((now) => now.details(query)),
    original: (query) => run((now) => now.original(query)),
    facets: (range) => run((now) => now.facets(range)),
    actionItems: (range) => run((now) => now.actionItems(range)),
    signs: (range) => run((now) => now.signs(range)),
    vectors: (wanted) => run((now) => now.vectors(wanted)),
    check: () => run((now) => now.check()),
    readTransaction: (work) =>
      runAsOne((now) => {
        if (now === undefined) work();
        else now.readTransaction(work);
      }),
    close,
  };
}

/** The reads of one connection, and what to do with it when the file changes. */
interface ConnectionReads extends Omit<SyncStore, 'apiKey'>, FollowedConnection {
  readonly apiKey: (keySha256: string, now: number) => ApiKey | undefined;
  readonly close: () => void;
}

function openReads(path: string, lockTimeoutMs: number): ConnectionReads {
  const db = openFile(path, 'read', lockTimeoutMs);
  const requireReadable = schemaCheck(db, path);
  const check = () => {
    requireCurrentSchema(db, path, 'read');
    requireReadable();
  };
  createOrClose(db, requireReadable);
  const file = watchDataVersion(db, check);
  const inState = readConsistently(db);
  const apiKey = prepareOn(db, reads.datedApiKey);
  const keyInAccount = prepareOn(db, reads.keyInAccount);
  const account = prepareOn(db, reads.account);
  const memory = {
    body: prepareOn(db, reads.memory.body),
    slim: prepareOn(db, reads.memory.slim),
  };
  const prepareInWindow = (projection: Projection) =>
    perCount((count) => prepareOn(db, reads.memoryInWindow(projection, count)));
  const inWindow = { body: prepareInWindow('body'), slim: prepareInWindow('slim') };
  const feedEntry = prepareOn(db, reads.feedEntry);
  const lists = listReads(db);
  const checks = recentChecks();
  const search = createOrClose(db, () => searchReads(db, lists));

  const isInFeed = (query: MemoryQuery): boolean => feedEntry.get(query)?.change === 'upsert';
  /** Returns whether the feed lists a memory that is absent: in one state, because it may have been written in between. */
  const isLost = (query: MemoryQuery): boolean =>
    isInFeed(query) && inState(() => !memory[query.projection].get(query) && isInFeed(query));

  return {
    apiKey: cacheKeys({
      version: file.version,
      read(key_sha256: string, now: number) {
        const row = apiKey.get({ key_sha256 });
        // A damaged row may name another account. A second index must agree (measured: 4 µs, once per commit).
        if (row === undefined) return undefined;
        const { ends_at } = row;
        if (ends_at > now && keyInAccount.get({ ...row, key_sha256 })?.key_sha256 !== key_sha256)
          throw misattributedKey(path, row.account_id);
        const { account_id, last_four, account_revision } = row;
        return { account_id, last_four, ends_at, account_revision, scope: scopeOf(row) };
      },
      inState,
    }),
    account(id) {
      file.version(); // the first read of a call, so this checks whether the schema still fits
      return account.get({ id });
    },
    memory(query) {
      const { projection, window } = query;
      const found =
        window === undefined
          ? memory[projection].get(query)
          : inWindow[projection](reads.facetCount(window)).get({
              ...query,
              ...reads.windowValues(window),
            });
      if (found === undefined) {
        // Through a window, whatever is absent takes one statement: nobody can tell what is outside by the time.
        if (window === undefined && isLost(query)) throw lostMemory(path, query);
        return undefined;
      }
      const { body_sha256, bytes, sha256 } = found;
      if (bytes === null && body_sha256 === query.known) return { body_sha256, bytes };
      const { account_id, revision, id } = query;
      const checked = { account_id, revision, facts: `${id},${sha256}` };
      const isBytes = bytes instanceof Uint8Array; // a damaged row may hold anything
      if (!isBytes || !checks.passes(checked, () => isIntact(bytes, sha256, query)))
        throw damagedMemory(path, query);
      return { body_sha256, bytes };
    },
    ...lists,
    positions: positionReads(db, (range) => lists.positions(range)),
    ...search,
    ...placeReads(db),
    ...vectorReads(db),
    ...chunkReads(db, checks, (range, maxBytes) => lists.items(range, maxBytes)),
    changes: changeReads(db),
    ...detailReads(db),
    days: dayReads(db),
    readTransaction: file.readTransaction,
    check,
    refresh: file.refresh,
    setLockTimeout: (ms) => {
      db.pragma(`busy_timeout = ${ms}`);
    },
    close: () => {
      db.close();
    },
  };
}

/** Creates something on a connection, which it closes if that fails. */
function createOrClose<T>(db: Database, create: () => T): T {
  try {
    return create();
  } catch (error) {
    db.close();
    throw explainSqlite(error, db.name);
  }
}
