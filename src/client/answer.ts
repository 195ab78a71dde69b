// What came back: an answer of the API, its failure, or something else.

import * as v from 'valibot';

import type { Route } from '../contract/api.ts';
import type { Reached } from '../contract/calls.ts';
import { Failure } from '../contract/failure.ts';
import type { Came } from './call.ts';
import type { Cached, Settings } from './options.ts';

interface Answered {
  readonly route: Route;
  readonly url: string;
  readonly cached: Cached | undefined;
  readonly came: Came;
}

/** Reads an answer and keeps it, where there is a cache. Fails with `Failure` when it is none. */
export async function readAnswer(
  { cache, check }: Settings,
  { route, url, cached, came: { response, text } }: Answered,
): Promise<Reached> {
  const { status, headers } = response;
  if (status === 304 && cached) return { output: parse(status, cached.text), next: cached.next };
  if (status !== 200) throw failureOf(status, text);
  const output = parse(status, text);
  if (check) requireContract(route, output);
  const next = nextCursor(headers.get('link') ?? '');
  const etag = headers.get('etag');
  if (etag !== null) await cache?.set(url, { etag, text, next });
  return { output, next };
}

function parse(status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw foreign(status, cause);
  }
}

function requireContract(route: Route, output: unknown): void {
  const checked = v.safeParse(route.output, output, { abortEarly: true });
  if (checked.success) return;
  const where = v.getDotPath(checked.issues[0]) ?? 'the whole';
  const detail = `The answer breaks the contract at ${where}; check that client and gateway have the same version.`;
  throw new Failure(200, detail, { reason: 'mismatch', cause: new v.ValiError(checked.issues) });
}

function failureOf(status: number, text: string): Failure {
  const body = status < 400 ? undefined : parse(status, text);
  if (typeof body === 'object' && body !== null && 'detail' in body && body.detail !== '')
    return new Failure(status, String(body.detail));
  return foreign(status);
}

/** The failure of an answer that is not the API's: of a proxy, or of another server. */
function foreign(status: number, cause?: unknown): Failure {
  const detail = `Something other than the gateway answered ${status}; check that baseUrl is its address.`;
  return new Failure(status, detail, { reason: 'mismatch', cause });
}

/** Takes the cursor out of the link to the next page (RFC 8288); its address is the client's own to choose. */
function nextCursor(link: string): string | undefined {
  return /<[^>]*[?&]cursor=([\w-]+)[^>]*>\s*;\s*rel="?next\b/.exec(link)?.[1];
}
