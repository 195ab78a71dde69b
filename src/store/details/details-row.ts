// The details of a memory as rows: its document, its original, its facets and its action items.

import { hash } from 'node:crypto';

import * as v from 'valibot';

import { toJson } from '../../contract/json.ts';
import { ReadDetails, type Details } from '../../contract/schemas/details.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { countLines } from '../../text/turns.ts';
import type { DetailTables } from '../sql/tables/detail-tables.ts';
import { facetKey, facetsOf, storable } from './facets.ts';
import { toOriginalRow, type GivenOriginal } from './original.ts';

/** What an import read of a memory besides its nine fields. */
export interface GivenDetails {
  readonly read: ReadDetails;
  /** What the memory was made from. Undefined: it is not kept. */
  readonly original?: GivenOriginal | undefined;
  /** The id that the name of its file gives, if the file was renamed, and the memory has the id of an earlier name. */
  readonly renamed_to?: string | undefined;
  /**
   * When details that the memory has already stay: `always`, because these are from a part of it, or `same` if the
   * memory stays the same, because these are from an export of it. Default: never.
   */
  readonly yields?: 'always' | 'same' | undefined;
  /** What was put right in them. */
  readonly corrections?: Details['corrections'] | undefined;
  /** When the memory was imported, in milliseconds since 1970, or null if that is unknown. Default: now. */
  readonly imported_at?: number | null | undefined;
}

/** The details of a memory that has only its nine fields. */
export const NOTHING_READ: ReadDetails = {
  source: { product: null, format: null, id: null, url: null },
  language: null,
  line_starts_ms: null,
  audio: null,
  people: [],
  tags: [],
  chapters: [],
  action_items: [],
};

/** Valid details, and the hash by which an import of the same is known. */
export interface PreparedDetails extends GivenDetails {
  readonly read_sha256: string;
}

/** The details that a memory has already. */
export type StoredHashes = Pick<DetailTables['details'], 'read_sha256' | 'original_sha256'>;

/** Validates details. Throws `ValiError` if they break the contract. */
export function prepareDetails(given: GivenDetails, { transcript }: Memory): PreparedDetails {
  const all = v.parse(ReadDetails, given.read);
  const isFitting = all.line_starts_ms?.length === countLines(transcript);
  const read = isFitting ? all : { ...all, line_starts_ms: null };
  const { corrections = [], renamed_to } = given;
  const isPlain = corrections.length === 0 && renamed_to === undefined;
  const known = isPlain ? toJson(read) : toJson({ read, corrections, renamed_to });
  return { ...given, read, read_sha256: hash('sha256', known) };
}

/** What to do with the details of a memory when it is written. `move`: they stay, and what repeats the start of their memory follows it. */
export type DetailsChange = 'add' | 'replace' | 'remove' | 'move' | undefined;

/** Returns whether details are written. */
export function isWritten(change: DetailsChange): boolean {
  return change === 'add' || change === 'replace';
}

/** Decides what to do. Details of an older version of a memory are wrong, so those without a successor are removed. */
export function changeOf(
  given: PreparedDetails | undefined,
  stored: StoredHashes | undefined,
  isMemorySame: boolean,
): DetailsChange {
  const stays = given?.yields === 'always' || (given?.yields === 'same' && isMemorySame);
  if (stored !== undefined && stays) return isMemorySame ? undefined : 'move';
  if (given === undefined) return stored === undefined || isMemorySame ? undefined : 'remove';
  if (stored === undefined) return 'add';
  if (!isMemorySame) return 'replace';
  // An original with other bytes that says the same is not stored again: products sign their links anew each time.
  const isNew = given.original !== undefined && stored.original_sha256 === null;
  return isNew || stored.read_sha256 !== given.read_sha256 ? 'replace' : undefined;
}

/** The rows of a memory's details. */
export interface DetailsRows {
  readonly details: DetailTables['details'];
  readonly original: DetailTables['originals'] | undefined;
  readonly facets: readonly DetailTables['facets'][];
  readonly action_items: readonly DetailTables['action_items'][];
}

/** The memory that details belong to. */
export interface Owner {
  readonly account_id: string;
  readonly id: string;
  readonly started_at: number;
}

/** Returns the rows of details. `now` is the time of the import in milliseconds since 1970. */
export function toDetailsRows(
  { read, read_sha256, original: given, ...rest }: PreparedDetails,
  owner: Owner,
  now: number,
): DetailsRows {
  const { account_id, id: memory_id } = owner;
  const { corrections = [], imported_at, renamed_to = null } = rest;
  const original = given && toOriginalRow(account_id, given);
  const at = imported_at === undefined ? now : imported_at;
  const document: Details = {
    memory_id,
    ...read,
    source: {
      ...read.source,
      imported_at: at === null ? null : new Date(at).toISOString(),
    },
    corrections: [...corrections],
    original: original
      ? { media_type: original.media_type, bytes: original.bytes, sha256: original.sha256 }
      : null,
  };
  const body = toJson(document);
  return {
    details: {
      account_id,
      memory_id,
      read_sha256,
      original_sha256: original?.sha256 ?? null,
      reading: given?.reading ?? null,
      renamed_to,
      body_sha256: hash('sha256', body),
      body,
    },
    original,
    ...partsOf(read, owner),
  };
}

/** Returns the rows that repeat parts of details for queries: facets and action items. */
export function partsOf(
  read: ReadDetails,
  { account_id, id: memory_id, started_at }: Owner,
): Pick<DetailsRows, 'facets' | 'action_items'> {
  return {
    facets: facetsOf(read, { account_id, memory_id, started_at }),
    action_items: read.action_items.map(({ text, owner: by, due, done, line }, i) => ({
      account_id,
      started_at,
      memory_id,
      number: i + 1,
      text: storable(text),
      owner: by === null ? null : storable(by),
      folded: by === null ? null : facetKey(by),
      due: due === null ? null : storable(due),
      done: done === null ? null : Number(done),
      line,
    })),
  };
}
