// The parameters of each endpoint as types, with the documentation that editors show.
// Tests compare them with the schemas in routes.ts and with openapi/descriptions.ts.

import type { MemoryField } from './memory.ts';

/** Parameters that go with and without a cursor. Both inputs inherit them, so that an editor finds one comment. */
interface PageParameters {
  /** Page size. Default: the cursor's page size, or all memories. From 1 to 1000. */
  readonly limit?: number | undefined;
}

/** Parameters that choose memories by their start. */
export interface TimeFilters {
  /** Only memories that started at this time or later. A date means the start of that day in `timezone`. Default: no limit. */
  readonly started_after?: string | undefined;
  /** Only memories that started before this time. A date means the start of that day in `timezone`. Default: no limit. */
  readonly started_before?: string | undefined;
  /** Time zone of the dates in `started_after` and `started_before`. Default: `UTC`. */
  readonly timezone?: string | undefined;
}

/** Parameters that choose memories by what their sources knew of them. */
export interface FacetFilters {
  /** Only memories with this person, by the whole name. Case and accents are ignored. Repeat it for memories with all of several people. Default: any. */
  readonly person?: readonly string[] | undefined;
  /** Only memories with this folder, tag or star, by the whole name. Case and accents are ignored. Default: any. */
  readonly tag?: string | undefined;
  /** Only memories from this product, by the whole name. Case and accents are ignored. Default: any. */
  readonly source?: string | undefined;
}

/**
 * Parameters of `memories.list`, `page` and `each` without a cursor. The compiler infers the type
 * arguments: `A` is the type of `fields`, `F` the names in it.
 */
export interface FirstPageParameters<F = MemoryField, A = readonly F[]>
  extends PageParameters, TimeFilters, FacetFilters {
  /** Opaque token for the next page: `next` of the client's page, or the cursor in the `link` header. Only `limit` may accompany it. Default: the first page. */
  readonly cursor?: undefined;
  /** `desc` lists the newest memories first, `asc` the oldest. Default: `desc`. */
  readonly order?: 'desc' | 'asc' | undefined;
  /** `true` lists only memories whose summary is still being written, `false` only the others. Default: both. */
  readonly is_processing?: boolean | undefined;
  /** Only memories with all of these words, anywhere in name, summary and transcript. Case and accents are ignored. Default: no filter. */
  readonly q?: string | undefined;
  /** Return only these fields of each memory, and its `id`. Without transcripts a list is far smaller. Default: all fields. */
  readonly fields?: FieldNames<F, A> | undefined;
}

/** Parameters of `memories.list`, `page` and `each` with a cursor, which carries all others except `limit`. */
export interface NextPageParameters extends PageParameters {
  /** Opaque token for the next page: `next` of the client's page, or the cursor in the `link` header. Only `limit` may accompany it. Default: the first page. */
  readonly cursor?: string | undefined;
  readonly order?: NotAllowedWithCursor | undefined;
  readonly started_after?: NotAllowedWithCursor | undefined;
  readonly started_before?: NotAllowedWithCursor | undefined;
  readonly timezone?: NotAllowedWithCursor | undefined;
  readonly is_processing?: NotAllowedWithCursor | undefined;
  readonly q?: NotAllowedWithCursor | undefined;
  readonly person?: NotAllowedWithCursor | undefined;
  readonly tag?: NotAllowedWithCursor | undefined;
  readonly source?: NotAllowedWithCursor | undefined;
  readonly fields?: NotAllowedWithCursor | undefined;
}

/** Parameters of `memories.get`. The compiler infers the type arguments, as for `FirstPageParameters`. */
export interface GetParameters<F = MemoryField, A = readonly F[]> {
  /** The id of the memory. Required. */
  readonly memory_id: string;
  /** Return only these fields, and the `id`. Default: all fields. */
  readonly fields?: FieldNames<F, A> | undefined;
}

/** Parameters of `memories.lines`. */
export interface LinesParameters {
  /** The id of the memory. Required. */
  readonly memory_id: string;
  /** The number of the first line, counted from 1. Default: 1. */
  readonly first?: number | undefined;
  /** The number of the last line. A number beyond the end means the end. Default: the end. */
  readonly last?: number | undefined;
  /** Budget of the whole response, in tokens of 4 bytes. It ends with the last whole line that fits, and has one line at least, cut if necessary. Default: no budget. From 100 to 20000. */
  readonly max_tokens?: number | undefined;
  /** `true` adds `starts_ms`: when each of these lines starts. Default: `false`. */
  readonly times?: boolean | undefined;
}

/** Parameters of `memories.details`. */
export interface DetailsParameters {
  /** The id of the memory. Required. */
  readonly memory_id: string;
}

/** Parameters of `days.list`. */
export interface DaysParameters extends TimeFilters, FacetFilters {
  /** Time zone of the days, and of the dates in `started_after` and `started_before`. Default: `UTC`. */
  readonly timezone?: string | undefined;
}

/** Parameters of lists of what is in memories, in pages. */
interface DetailPageParameters {
  /** Page size. Default: the cursor's page size, or all. From 1 to 1000. */
  readonly limit?: number | undefined;
  /** Opaque token for the next page, copied from the `link` header. Only `limit` may accompany it. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** Parameters of `people.list`, `page` and `each`. */
export interface PeopleParameters extends DetailPageParameters, TimeFilters {
  /** Only people whose name has this text. Case and accents are ignored. Default: all. */
  readonly q?: string | undefined;
}

/** Parameters of `tags.list`. */
export type TagsParameters = TimeFilters;

/** Parameters of `actionItems.list`, `page` and `each`. */
export interface ActionItemsParameters extends DetailPageParameters, TimeFilters {
  /** `true` lists only items that are done, `false` only those that are not. Default: all, also those of which the source does not say. */
  readonly done?: boolean | undefined;
  /** Only items of the person with this name. Case and accents are ignored. Default: all. */
  readonly owner?: string | undefined;
}

/** Parameters of `changes.follow`. */
export interface FollowParameters {
  /** Return changes after this cursor: `next` of the client's page, or the one in the `link` header. Default: start with the oldest change. */
  readonly since?: string | undefined;
  /** Maximum number of changes. Default: the cursor's limit, or 1000. From 1 to 1000. */
  readonly limit?: number | undefined;
}

/** Parameters of `changes.list` and `page`. */
export interface ChangesParameters extends FollowParameters {
  /** `asc` lists the oldest changes first, `desc` the latest, in pages that end. `desc` excludes `since`. Default: `asc`. */
  readonly order?: 'desc' | 'asc' | undefined;
  /** Opaque token for the next page with `order=desc`, copied from the `link` header. Only `limit` may accompany it. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** Parameters of `search` and `search.page`. */
export interface SearchParameters extends TimeFilters, FacetFilters {
  /** Only passages with a line of this person, by the whole name. Case and accents are ignored. Repeat it for passages with a line of each of several people. Default: any. */
  readonly person?: readonly string[] | undefined;
  /** What to look for. Words are alternatives: rarer words, more words and words close together rank higher. A `"phrase"` or a `prefix*` must occur in the passage, and `-word` must not. `OR`, `speaker:Ann`, `tag:work`, `source:limitless`, `before:2026-06` and `after:2026-06` narrow it as well. Required without `cursor`. */
  readonly q?: string | undefined;
  /** Search only the memory with this id: the best passages first, then its other lines in order. Default: all memories. */
  readonly memory_id?: string | undefined;
  /** `true` searches only memories whose summary is still being written, `false` only the others. Default: both. */
  readonly is_processing?: boolean | undefined;
  /** Maximum number of passages. Default: the cursor's limit, or 10. From 1 to 100. */
  readonly limit?: number | undefined;
  /** Budget of the whole response, in tokens of 4 bytes: it has only as many passages as fit. Default: the cursor's budget, or none. From 100 to 20000. */
  readonly max_tokens?: number | undefined;
  /** Opaque token for the next passages, copied from the `link` header. Only `limit` and `max_tokens` may accompany it. Default: the first passages. */
  readonly cursor?: string | undefined;
}

/** An array of field names. `A` keeps the order and number of a literal, `F` its names. */
type FieldNames<F, A> = (A & readonly F[]) | readonly F[];

/** No caller has a value of this type. Its name is for the compiler's error message. It does not exist at run time. */
declare enum NotAllowedWithCursor {
  value = 'value',
}
