// The reads of one server. Each is one prepared statement that also returns the account's revision.

import { showDatabase } from '../../address.ts';
import { damagedMemory, isIntactText } from '../../check/on-read.ts';
import { recentChecks } from '../../check/recent.ts';
import type { DetailReads } from '../../details/reads.ts';
import { STRETCH, throughWindow } from '../../feed-window.ts';
import type { RevisionResult } from '../../positions.ts';
import { scopeOf } from '../../scope.ts';
import { perCount } from '../../sql/facets.ts';
import * as shared from '../../sql/reads.ts';
import type { FeedPosition, StoredMemory, MemoryQuery } from '../../store.ts';
import { dayReadsOf } from '../days.ts';
import { detailReadsOf } from '../details/reads.ts';
import { bytesOf, pagesOf } from '../lists.ts';
import * as reads from '../reads.ts';
import type { ServerRead } from '../reads.ts';
import { searchReadsOf, type SearchReads } from '../search/postings.ts';
import { vectorReadsOf, type VectorReads } from '../search/vectors.ts';
import { prepare } from '../statements.ts';
import type { ConnectionPool } from './connection.ts';

const account = prepare(shared.account);
const apiKey = prepare(shared.apiKey);
const memory = { body: prepare(reads.memory.body), slim: prepare(reads.memory.slim) };
const inWindow = {
  body: perCount((count) => prepare(reads.memoryInWindow('body', count))),
  slim: perCount((count) => prepare(reads.memoryInWindow('slim', count))),
};
const changes = { asc: prepare(reads.changes.asc), desc: prepare(reads.changes.desc) };
const windowed = {
  asc: perCount((count) => prepare(reads.changesThroughWindow('asc', count))),
  desc: perCount((count) => prepare(reads.changesThroughWindow('desc', count))),
};

/** The position before the first change, which is always valid. */
const FEED_START: FeedPosition = { seq: 0, epoch: '', latest: { seq: 0, epoch: '' } };

/** The reads of a server. A read of an unknown account has no `revision`. */
export interface ServerReads
  extends
    SearchReads,
    VectorReads,
    ServerRead<'apiKey' | 'account' | 'items' | 'positions' | 'changes' | 'days'>,
    ServerRead<keyof DetailReads> {
  /** The number of reads so far. */
  count(): number;
  memory(
    wanted: MemoryQuery,
  ): Promise<RevisionResult & { readonly found: StoredMemory | undefined }>;
}

/** Creates the reads of a connected server. */
export function createServerReads({ query: ask, address }: ConnectionPool): ServerReads {
  const name = showDatabase(address);
  let count = 0;
  const query: typeof ask = (prepared, values) => {
    count++;
    return ask(prepared, values);
  };
  const checks = recentChecks();
  const pages = pagesOf(query, name, checks);

  return {
    count: () => count,
    async apiKey(key_sha256) {
      const [row] = await query(apiKey(), { key_sha256 });
      if (row === undefined) return undefined;
      const { account_id, last_four, ends_at, account_revision } = row;
      return { account_id, last_four, ends_at, account_revision, scope: scopeOf(row) };
    },
    account: async (id) => (await query(account(), { id }))[0],
    async memory(wanted) {
      const { projection, window } = wanted;
      const [row] =
        window === undefined
          ? await query(memory[projection](), wanted)
          : await query(inWindow[projection](shared.facetCount(window))(), {
              ...wanted,
              ...shared.windowValues(window),
            });
      const revision = row?.revision;
      if (!row?.body_sha256) return { revision, found: undefined };
      const { body_sha256, text, sha256 } = row;
      if (text === null && body_sha256 === wanted.known)
        return { revision, found: { revision, body_sha256, bytes: null } };
      const { account_id, id } = wanted;
      const checked = { account_id, revision, facts: `${id},${sha256}` };
      if (text === null || !checks.passes(checked, () => isIntactText(text, sha256, wanted)))
        throw damagedMemory(name, wanted);
      return { revision, found: { revision, body_sha256, bytes: bytesOf(text) } };
    },
    ...pages,
    ...searchReadsOf(query, pages),
    ...dayReadsOf(query),
    ...detailReadsOf(query, address),
    ...vectorReadsOf(query),
    async changes({ account_id, position = FEED_START, limit, order = 'asc', window }) {
      const { seq: from, epoch, latest } = position;
      const more = order === 'asc' ? 0 : 1; // one more than the page has shows whether another follows
      const values = {
        account_id,
        seq: from,
        epoch,
        latest_seq: latest.seq,
        latest_epoch: latest.epoch,
      };
      const all =
        window === undefined
          ? await query(changes[order](), { ...values, limit: limit + more })
          : await query(windowed[order](shared.facetCount(window))(), {
              ...values,
              ...shared.windowValues(window),
              limit: STRETCH,
            });
      const shown = window === undefined ? undefined : throughWindow(all, limit);
      const rows = shown?.changes ?? all.slice(0, limit);
      const last = shown?.last ?? rows.at(-1);
      if (last === undefined || last.since === null)
        return { revision: last?.revision, changes: [], position: undefined, hasMore: false };
      const found = rows.flatMap(({ seq, memory_id, change, changed_at }) =>
        seq === null || memory_id === null || change === null || changed_at === null
          ? []
          : [{ seq, memory_id, change, changed_at }],
      );
      const next = {
        seq: last.seq ?? last.since,
        epoch: last.epoch ?? '',
        latest: { seq: last.latest_seq, epoch: last.latest_epoch ?? '' },
      };
      return {
        revision: last.revision,
        changes: found,
        position: next,
        hasMore: shown?.hasMore ?? all.length > limit,
      };
    },
  };
}
