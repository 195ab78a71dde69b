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

// Under one of these paths, nobody could tell whether a host has removed it from /app/v1 or from /v1.
const OWN_PATH = /^\/(?:v1|app|mcp|docs|s|oauth|healthz|readyz|openapi\.json)(?:\/|$)/i;

/** The accepted base URLs, for error messages. */
export const BASE_URL =
  'a path such as /memories or an address such as https://a.example/memories, without a query or fragment, and not below a path of the gateway such as /app or /v1';

/** Reads a base URL, with or without a slash at its end. Returns undefined if it is none. */
export function readBase(baseUrl: string): Base | undefined {
  const [, origin, prefix] = BASE.exec(baseUrl) ?? [];
  if (prefix === undefined || OWN_PATH.test(prefix)) return undefined;
  if (origin !== undefined && !URL.canParse(origin)) return undefined;
  return { base: `${origin ?? ''}${prefix}`, prefix };
}

/** Returns the path of a base that was read, or of a mount. */
export function prefixOf(base: string): string {
  return BASE.exec(base)?.[2] ?? '';
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

/**
 * Creates the function that returns whether a request is for a path of the gateway: of the API, of agents, or another
 * path that it owns. The root of a host is its own, unless the gateway is mounted somewhere below it.
 */
export function createIsOwn(prefix: string, owns: (path: string) => boolean) {
  return (request: { readonly url?: string | undefined }): boolean => {
    const { url = '' } = request;
    const path = withoutPrefix(withoutOrigin(url), prefix).replace(/\?.*/s, '');
    if (path === '/' && mountOf(request) === '') return prefix !== '' && url.startsWith(prefix);
    return path === '/' || isIn(path, '/v1') || isIn(path, '/mcp') || owns(path);
  };
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/**
 * Removes the prefix from a target that begins with it. A host or proxy may have removed it already, so other
 * targets stay as they are.
 */
export function withoutPrefix(target: string, prefix: string): string {
  if (!target.startsWith(prefix)) return target;
  const rest = target.slice(prefix.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : target;
}
