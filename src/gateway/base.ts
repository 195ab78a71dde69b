// The base: what stands before /v1 where the gateway is mounted, and in the links it writes.

/** Where a gateway is reached from outside. */
export interface Base {
  /** Before `/v1` in links: nothing, a path, or an address with its path. */
  readonly base: string;
  /** The path in it. */
  readonly prefix: string;
}

// RFC 3986 §3.3, without empty and dot segments, which libraries fold away: nothing in it ends a link
// or begins another host.
const SEGMENT = String.raw`/(?!(?:\.|%2e){1,2}(?:/|$))(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+`;
const ORIGIN = String.raw`https?://(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?`;
const BASE = new RegExp(`^(${ORIGIN})?((?:${SEGMENT})*)/?$`, 'i');
const MOUNT = new RegExp(`^(?:${SEGMENT})*$`, 'i');

/** What a base address may be, for people. */
export const BASE_URL =
  'a path such as /memories or an address such as https://a.example/memories, and nothing behind it';

/** Reads a base address, with or without a slash at its end; undefined when it is none. */
export function readBase(baseUrl: string): Base | undefined {
  const [, origin, prefix] = BASE.exec(baseUrl) ?? [];
  if (prefix === undefined || (origin !== undefined && !URL.canParse(origin))) return undefined;
  return { base: `${origin ?? ''}${prefix}`, prefix };
}

/** What a host such as Express has cut off the target before it handed the request on; `''` if nothing. */
export function mountOf(request: { readonly url?: string | undefined }): string {
  const { url = '', originalUrl } = request as { url?: string; originalUrl?: unknown };
  if (typeof originalUrl !== 'string') return '';
  const [whole, cut] = [pathOf(originalUrl), pathOf(url)];
  const mount = whole.endsWith(cut) ? whole.slice(0, whole.length - cut.length) : '';
  return MOUNT.test(mount) ? mount : '';
}

/** A target without what precedes its path in absolute-form. */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '');
}

/** All that a gateway answers. */
const OURS = /^\/(?:v1|docs|openapi\.json|healthz|readyz)(?=[/?]|$)/;

/** Takes the prefix off a target where the host has not done it: what is left is a path of ours. */
export function withoutPrefix(target: string, prefix: string): string {
  if (prefix === '' || !target.startsWith(prefix)) return target;
  const rest = target.slice(prefix.length);
  return OURS.test(rest) ? rest : target;
}
