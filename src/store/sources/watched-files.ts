// The files of watched folders as they were when they were last read, so that a restart reads only what changed.

import { andThen, type Awaitable } from '../../lib/async.ts';
import { build, query, type Connection, type Slot } from '../sql/query.ts';
import { selectRows, upsertRow } from '../sql/row-queries.ts';
import type { WatchedFileTable } from '../sql/tables/tables.ts';
import { ofSource, type SourceKey } from './runs.ts';

/** A file of a watched folder: its facts when it was read, and what became of it. */
export type WatchedFile = Omit<WatchedFileTable, 'account_id' | 'source'>;

/** A file that was not read as a whole. */
export type UnreadFile = Pick<WatchedFile, 'path' | 'result' | 'reason'>;

const put = upsertRow('watched_files', ['account_id', 'source', 'path']);

const find = selectRows('watched_files', {
  columns: ['path', 'size', 'modified_at', 'marker', 'result', 'reason', 'read_at'],
  by: ['account_id', 'source', 'path'],
});

const page = query(
  (slot: Slot<Pick<WatchedFileTable, 'account_id' | 'source'> & { after: string }>) =>
    build
      .selectFrom('watched_files')
      .select(['path', 'size', 'modified_at', 'marker', 'result', 'reason', 'read_at'])
      .where('account_id', '=', slot('account_id'))
      .where('source', '=', slot('source'))
      .where('path', '>', slot('after'))
      .orderBy('path')
      .limit((eb) => eb.lit(PAGE)),
);

const PAGE = 1000;

/** Lists the latest files that were not read as a whole since a time. */
export const unreadFiles = query(
  (slot: Slot<Pick<WatchedFileTable, 'account_id' | 'source'> & { since: number }>) =>
    build
      .selectFrom('watched_files')
      .select(['path', 'result', 'reason'])
      .where('account_id', '=', slot('account_id'))
      .where('source', '=', slot('source'))
      .where('reason', 'is not', null)
      .where('read_at', '>=', slot('since'))
      .orderBy('read_at', 'desc')
      .orderBy('path')
      .limit((eb) => eb.lit(UNREAD)),
);

const UNREAD = 20;

/** Creates the writes about watched files on a connection. The source must have been started. */
export function watchedFileWrites({ prepare }: Connection) {
  const held = {
    put: prepare(put),
    find: prepare(find),
    page: prepare(page),
    unread: prepare(unreadFiles),
  };
  return {
    /** Stores a file as it was read. Call it when its memories are written: a kill in between reads it again. */
    put: (source: SourceKey, file: WatchedFile): Awaitable<void> =>
      andThen(held.put.run({ ...file, ...ofSource(source) }), () => undefined),
    find: (source: SourceKey, path: string): Awaitable<WatchedFile | undefined> =>
      held.find.get({ ...ofSource(source), path }),
    /** Reads a page of a source's files after a path, in order. The last page is empty. */
    page: (source: SourceKey, after: string): Awaitable<WatchedFile[]> =>
      held.page.all({ ...ofSource(source), after }),
    /** Lists the latest files that were not read as a whole since a time, each with its reason. */
    unread: (source: SourceKey, since: number): Awaitable<UnreadFile[]> =>
      held.unread.all({ ...ofSource(source), since }),
  };
}
