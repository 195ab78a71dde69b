// The base: what stands before /v1 where the gateway is mounted, and in the links it writes.

import { Refusal } from '../store/refusal.ts';

/** Where a gateway is reached from outside. */
export interface Base {
  /** Before `/v1` in links: nothing, a path, or an address with its path. */
  readonly base: string;
  /** The path in it. */
  readonly prefix: string;
}

// Nothing that could end a link or begin another host: each segment has a character, and no "<" or ">".
const PATH = String.raw`(?:/[\w.~!$&'()*+,;=:@%-]+)*`;
const BASE = new RegExp(
  String.raw`^(?:https?://(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?)?(${PATH})/?$`,
  'i',
);
const MOUNT = new RegExp(`^${PATH}$`);

/** Reads a base address: `/path` or `https://host/path`. Fails with `Refusal` when it is neither. */
export function readBase(baseUrl: string): Base {
  const found = BASE.exec(baseUrl);
  if (found === null)
    throw new Refusal(
      'The base URL takes a path such as /memories, or an address such as https://host.example/memories.',
    );
  return { base: baseUrl.replace(/\/$/, ''), prefix: found[1] as string };
}

/** What a host such as Express has cut off the target before it handed the request on; `''` if nothing. */
export function mountOf(request: { readonly url?: string | undefined }): string {
  const { url = '', originalUrl } = request as { url?: string; originalUrl?: unknown };
  if (typeof originalUrl !== 'string' || !originalUrl.endsWith(url)) return '';
  const mount = originalUrl.slice(0, originalUrl.length - url.length);
  return MOUNT.test(mount) ? mount : '';
}

/** Takes the prefix off a target, where the host has not done it. */
export function withoutPrefix(target: string, prefix: string): string {
  return prefix !== '' && target.startsWith(`${prefix}/`) ? target.slice(prefix.length) : target;
}
