// What the gateway reads of details, and how their bytes are checked.

import type { Json } from '../../contract/json.ts';
import type { Details } from '../../contract/schemas/details.ts';
import type { Awaitable } from '../../lib/async.ts';
import { commandOn } from '../address.ts';
import { memoryName } from '../check/findings.ts';
import { matchesHash } from '../check/on-read.ts';
import type { RevisionQuery, RevisionResult } from '../positions.ts';
import { Refusal } from '../refusal.ts';
import type { Window } from '../scope.ts';
import type { DetailTables } from '../sql/tables/detail-tables.ts';
import { readOriginal } from './original.ts';

/** Which memory's details to read. */
export interface DetailsQuery extends RevisionQuery {
  readonly account_id: string;
  readonly id: string;
}

/** Returns details as exports have them beside their memory. The original is not among them: it is a file of its own. */
export function exportedDetails({ memory_id: _, original: __, ...details }: Details) {
  return details;
}

/** The document of a memory. */
export interface StoredDetails {
  readonly sha256: string;
  readonly bytes: Json<Details>;
}

/** What a memory was made from. */
export interface StoredOriginal {
  readonly sha256: string;
  readonly media_type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Something that was looked for. */
export interface Found<T> extends RevisionResult {
  readonly found: T;
}

/** Which totals to read: those of an account, or of its memories that start in a window. */
export interface FacetRange extends RevisionQuery, Window {
  readonly account_id: string;
  readonly kind: DetailTables['facets']['kind'];
}

/** The totals of a person, a tag or a source. Times are milliseconds since 1970. */
export interface FacetTotal extends Omit<
  DetailTables['facet_totals'],
  'account_id' | 'kind' | 'timed' | 'speaking_ms'
> {
  /** Null if it is known of no memory. */
  readonly speaking_ms: number | null;
}

/** A position in the list of action items. */
export interface ItemPosition {
  readonly started_at: number;
  readonly memory_id: string;
  readonly number: number;
}

/** Which action items to read: at most `limit` after a position. */
export interface ItemRange extends RevisionQuery, Window {
  readonly account_id: string;
  readonly after?: ItemPosition | undefined;
  readonly limit: number;
}

/** An action item with the name of its memory. */
export interface StoredItem extends Omit<DetailTables['action_items'], 'account_id'> {
  readonly name: string;
}

/** The reads of details. */
export interface DetailReads {
  /** Finds the document of a memory. Does not look whether there is such a memory. */
  details(query: DetailsQuery): Awaitable<Found<StoredDetails | undefined>>;
  /** Finds what a memory was made from. */
  original(query: DetailsQuery): Awaitable<Found<StoredOriginal | undefined>>;
  /** Reads totals, in any order. */
  facets(range: FacetRange): Awaitable<Found<readonly FacetTotal[]>>;
  /** Reads action items, the newest memories first. */
  actionItems(range: ItemRange): Awaitable<Found<readonly StoredItem[]>>;
}

/** Checks a document by its hash and its memory. Throws `Refusal` if it is damaged. */
export function checkDetails(
  path: string,
  query: DetailsQuery,
  row: Pick<DetailTables['details'], 'body' | 'body_sha256'> | undefined,
): StoredDetails | undefined {
  if (row === undefined) return undefined;
  const { body, body_sha256 } = row;
  const start = `{"memory_id":"${query.id}",`;
  const isIntact = matchesHash(body, body_sha256);
  if (!isIntact || Buffer.from(body).toString('latin1', 0, start.length) !== start)
    throw damaged(path, query, 'details are');
  return { sha256: body_sha256, bytes: body as Json<Details> };
}

/** Decompresses an original and checks it by its hash. Throws `Refusal` if it is damaged. */
export function checkOriginal(
  path: string,
  query: DetailsQuery,
  row: Omit<DetailTables['originals'], 'account_id'> | undefined,
): StoredOriginal | undefined {
  if (row === undefined) return undefined;
  const bytes = readOriginal(row);
  if (bytes === undefined) throw damaged(path, query, 'original is');
  return { sha256: row.sha256, media_type: row.media_type, bytes };
}

function damaged(path: string, query: DetailsQuery, what: string): Refusal {
  const command = commandOn(path, 'verify');
  return new Refusal(
    `${memoryName(query)} is intact, but its ${what} damaged: the bytes have changed since they were written; find the damage with: ${command}`,
    { code: 'damaged' },
  );
}

/** Returns the position of a range as values of a statement. */
export function afterValues({ after }: Pick<ItemRange, 'after'>) {
  return {
    after_at: after?.started_at ?? Number.MAX_SAFE_INTEGER,
    after_id: after?.memory_id ?? '',
    after_number: after?.number ?? 0,
  };
}

/** Returns whether a range has a window in time. */
export function hasWindow({ started_after, started_before }: Window): boolean {
  return started_after !== undefined || started_before !== undefined;
}
