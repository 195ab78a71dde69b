// The base URL: the origin and path under which a gateway is reached, in requests and in the links it writes.

/** The address of a gateway as callers see it. */
export interface Base {
  /** What precedes `/v1` in links: nothing, a path, or an origin with a path. */
  readonly base: string;
  /** The path of the base. */
  readonly prefix: string;
}

// RFC 3986 §3.3, without empty and dot segments, which URL libraries remove. No character of it can end
// a link or begin another host.
const SEGMENT = String.raw`/(?!(?:\.|%2e){1,2}(?:/|$))(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+`;
const ORIGIN = String.raw`https?://(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?`;
const BASE = new RegExp(`^(${ORIGIN})?((?:${SEGMENT})*)/?$`, 'i');
const MOUNT = new RegExp(`^(?:${SEGMENT})*$`, 'i');

/** The accepted base URLs, for error messages. */
export const BASE_URL =
  'a path such as /memories or an address such as https://a.example/memories, without a query or fragment';

/** Reads a base URL, with or without a slash at its end. Returns undefined if it is none. */
export function readBase(baseUrl: string): Base | undefined {
  const [, origin, prefix] = BASE.exec(baseUrl) ?? [];
  if (prefix === undefined || (origin !== undefined && !URL.canParse(origin))) return undefined;
  return { base: `${origin ?? ''}${prefix}`, prefix };
}

/** Returns the path that a host such as Express removed from the target before it passed the request on, or `''`. */
export function mountOf(request: { readonly url?: string | undefined }): string {
  const { url = '', originalUrl } = request as { url?: string; originalUrl?: unknown };
  if (typeof originalUrl !== 'string') return '';
  const [original, rest] = [withoutOrigin(originalUrl), withoutOrigin(url)];
  const mount = original.endsWith(rest) ? original.slice(0, original.length - rest.length) : '';
  return MOUNT.test(mount) ? mount : '';
}

/** Removes the scheme and authority from a target in absolute-form. */
function withoutOrigin(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '');
}

/** Returns the path of a request as a gateway sees it: without an origin, the prefix and the query. */
export function ownPathOf(url: string, prefix: string): string {
  return withoutPrefix(withoutOrigin(url), prefix).replace(/\?.*/s, '');
}

/** The paths that a gateway serves, besides its root. */
const OWN_PATH = /^\/(?:v1|docs|openapi\.json|healthz|readyz|app|mcp|oauth)(?=[/?]|$)/;
const ROOT = /^\/?(?=\?|$)/;

/**
 * Removes the prefix from a target, unless the host has done so: the rest has to be a path of the gateway,
 * or its root if the whole is none.
 */
export function withoutPrefix(target: string, prefix: string): string {
  if (prefix === '' || !target.startsWith(prefix)) return target;
  const rest = target.slice(prefix.length);
  if (ROOT.test(rest)) return OWN_PATH.test(target) ? target : rest.replace(ROOT, '/');
  return OWN_PATH.test(rest) ? rest : target;
}
