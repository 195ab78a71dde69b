// Conditions: does the caller hold the answer already (If-None-Match, RFC 9110 §13.1.2)?

import type { Coding } from './coding.ts';

/** What the caller says it holds; etags here are those of answers, before coding. */
export interface Condition {
  /** The one etag that the caller holds, or `''` for none or several: a store may skip its bytes. */
  readonly only: string;
  /** The etag header of the caller's copy, when that copy is the answer with this etag. */
  match(etag: string): string | undefined;
}

/** The caller holds nothing. */
export const NONE: Condition = { only: '', match: () => undefined };

/** Writes the etag header of an answer in a coding: strong, and another one for each coding. */
export function etagHeader(etag: string, coding?: Coding): string {
  return coding === undefined ? `"${etag}"` : `"${etag}-${coding}"`;
}

/** Reads If-None-Match; a copy counts when it is in no coding, or in the one this answer would take. */
export function readCondition(ifNoneMatch: readonly string[], coding?: Coding): Condition {
  if (ifNoneMatch.length === 0) return NONE;
  const list = ifNoneMatch.join(',').trim();
  if (list === '*') return { only: '', match: (etag) => etagHeader(etag, coding) };
  const tags = tagsIn(list);
  const suffix = coding === undefined ? '' : `-${coding}`;
  const plain = (tag: string) =>
    tag.endsWith(suffix) ? tag.slice(0, tag.length - suffix.length) : tag;
  return {
    only: tags.length === 1 ? plain(tags[0] as string) : '',
    match(etag) {
      const held = tags.findLast((tag) => plain(tag) === etag);
      return held === undefined ? undefined : `"${held}"`;
    },
  };
}

/** All that stands between quotes; what marks a tag as weak does not matter here. */
function tagsIn(list: string): string[] {
  const tags: string[] = [];
  for (let open = list.indexOf('"'); open >= 0;) {
    const close = list.indexOf('"', open + 1);
    if (close < 0) break;
    tags.push(list.slice(open + 1, close));
    open = list.indexOf('"', close + 1);
  }
  return tags;
}
