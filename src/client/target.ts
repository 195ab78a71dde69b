// The target of a call: path and query, from the route and its input.

import type { Answering } from '../contract/answers.ts';
import { toText } from '../contract/endpoints.ts';

/** Writes the target of a request; what has no place there is written so that the gateway says what is wrong. */
export function targetOf(route: Answering, input: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(input).map(([name, value]) => [name, toText(value)]);
  const query = new URLSearchParams(texts);
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = query.get(name) ?? '';
    query.delete(name);
    // "", "." and ".." would lead to another path on their way; a space is as malformed, and leads nowhere.
    return encodeURIComponent(/^\.{0,2}$/.test(text) ? ' ' : text);
  });
  const rest = query.toString();
  return rest === '' ? path : `${path}?${rest}`;
}
