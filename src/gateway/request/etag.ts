// ETags and conditional requests: whether the caller already has the current response (If-None-Match, RFC 9110 §13.1.2).

import { etagHeader, type ContentEncoding } from './encoding.ts';
import { trimSpace } from './headers.ts';

/** The copy that the caller already has. ETags in this interface are the ETags of unencoded bodies. */
export interface Condition {
  /** The caller's ETag if it sent exactly one, otherwise `''`. A store may skip reading a body that has it. */
  readonly only: string;
  /** Returns the ETag header of the caller's copy if that is a copy of the body with this ETag. */
  match(etag: string): string | undefined;
}

/** Reads If-None-Match. A copy counts if it is unencoded or in the encoding of this response. */
export function readIfNoneMatch(
  ifNoneMatch: readonly string[],
  encoding?: ContentEncoding,
): Condition {
  const list = trimSpace(ifNoneMatch.join(','));
  if (list === '*') return { only: '', match: (etag) => etagHeader(etag, encoding) };
  const tags = tagsIn(list);
  const suffix = encoding === undefined ? '' : `-${encoding}`;
  return {
    only: tags.length === 1 ? withoutSuffix(tags[0] as string, suffix) : '',
    match(etag) {
      const match = tags.findLast((tag) => withoutSuffix(tag, suffix) === etag);
      return match === undefined ? undefined : `"${match}"`;
    },
  };
}

/** Returns the ETag of the unencoded body, whose suffix names the encoding of the caller's copy. */
function withoutSuffix(tag: string, suffix: string): string {
  return tag.endsWith(suffix) ? tag.slice(0, tag.length - suffix.length) : tag;
}

/** Returns the quoted strings of a list. If-None-Match compares weakly, so the mark `W/` is ignored. */
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
