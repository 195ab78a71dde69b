// Sends one request to a product: with a timeout, a size limit, retries, and no credential for other origins.

import { delay } from '../contract/abort.ts';
import { retryAfter, waitBefore } from '../lib/retry.ts';
import { readProductBody } from './body.ts';
import { addressIn, SourceFailure, isProblem } from './failure.ts';
import type { Problem, ProductReply, Source, SourceRequest } from './source.ts';

/** The address of a source, and how requests are sent to it. */
export interface ProductTarget {
  readonly source: Source;
  /** The base URL, without a slash at its end. */
  readonly url: string;
  /** The credential, or undefined if there is none. */
  readonly secret: string | undefined;
  readonly userAgent: string;
  /** Whether the app has started it, whose owner has entered the credential and the address there. */
  readonly isFromApp?: boolean;
  readonly signal: AbortSignal;
  /** The first wait before a retry, in milliseconds. Default: 500. */
  readonly firstDelayMs?: number;
  /** The timeout of one attempt, body included, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Called before each wait, with its length in milliseconds. */
  readonly onWait?: (ms: number) => void;
}

const RETRIED = new Set([408, 425, 429, 500, 502, 503, 504]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const ATTEMPTS = 6;
const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;
/** Waiting longer keeps a process busy for nothing: the next run continues. */
const LONGEST_WAIT_MS = 15 * 60_000;

/**
 * Sends a request until a whole response comes. Network errors and temporary statuses are retried.
 * Throws `SourceFailure`: for statuses of 400 and more, too.
 */
export async function sendToProduct(
  target: ProductTarget,
  request: SourceRequest,
): Promise<ProductReply> {
  for (let attempt = 1; ; attempt++) {
    const attempted = await attemptOnce(target, request);
    if (!(attempted instanceof SourceFailure)) return attempted.reply;
    const asked = attempted.retryAfterMs;
    const isTemporary = isProblem(attempted, 'network', 'busy');
    if (!isTemporary || attempt === ATTEMPTS || asked > LONGEST_WAIT_MS) throw attempted;
    const wait = Math.max(asked, waitBefore(attempt, target.firstDelayMs));
    target.onWait?.(wait);
    await pause(target, wait);
  }
}

/** Whether a product asks to wait longer than a run does. */
export function asksToWait({ kind, retryAfterMs }: SourceFailure): boolean {
  return kind === 'busy' && retryAfterMs > LONGEST_WAIT_MS;
}

interface Attempted {
  readonly reply: ProductReply;
}

/** Sends a request once. Returns what went wrong instead of throwing it. */
export async function attemptOnce(
  target: ProductTarget,
  request: SourceRequest,
): Promise<Attempted | SourceFailure> {
  try {
    const response = await follow(target, request);
    const { status, headers } = response;
    if (status >= 400) {
      const problem = await problemOf(target, response);
      const isTemporary = problem?.kind === 'response' && RETRIED.has(status);
      if (problem !== undefined && !isTemporary)
        return problemFailure(target, request, { problem, status });
      return statusFailure(target, request, { status, headers });
    }
    const body = await readProductBody(response, nameOf(target, request), addressIn(target));
    const problem = target.source.problemIn?.(body);
    if (problem === undefined) return { reply: { status, headers, body } };
    return problemFailure(target, request, { problem, status });
  } catch (error) {
    stopIfAsked(target);
    if (error instanceof SourceFailure) return error;
    return new SourceFailure(
      'network',
      `No whole response came from ${nameOf(target, request)} (${reasonOf(error)}); check the connection and run it again.`,
    );
  }
}

/** Returns the problem that the body of an error states, and discards the body otherwise. */
async function problemOf(target: ProductTarget, response: Response): Promise<Problem | undefined> {
  const { problemIn, name } = target.source;
  if (problemIn !== undefined)
    return problemIn(
      await readProductBody(response, name, addressIn(target)).catch(() => undefined),
    );
  await response.body?.cancel().catch(() => {});
  return undefined;
}

/** Sends a request and follows redirects within its origin. */
async function follow(
  target: ProductTarget,
  { path, query = {}, body }: SourceRequest,
): Promise<Response> {
  const url = new URL(target.url + path);
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) url.searchParams.append(name, String(each));
  const { credential } = target.source;
  const headers = new Headers({ accept: 'application/json', 'user-agent': target.userAgent });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (credential && target.secret !== undefined) headers.set(...headerOf(target, target.secret));
  const timeout = AbortSignal.timeout(target.timeoutMs ?? TIMEOUT_MS);
  let at = url;
  let sent = body;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(at, {
      ...(sent !== undefined && { method: 'POST', body: JSON.stringify(sent) }),
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([target.signal, timeout]),
    });
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null) return response;
    await response.body?.cancel().catch(() => {});
    at = redirected(at, location, target);
    if (response.status === 303) {
      sent = undefined; // a GET (RFC 9110 §15.4.4)
      headers.delete('content-type');
    }
  }
  throw new SourceFailure(
    'response',
    `${target.source.name} redirects more than ${MAX_REDIRECTS} times; check ${addressIn(target)}.`,
  );
}

/** Returns where a redirect leads. The credential is for one origin, so others are refused. */
function redirected(from: URL, location: string, target: ProductTarget): URL {
  const to = URL.parse(location, from);
  if (to?.origin === from.origin) return to;
  const place = to === null || to.origin === 'null' ? 'an invalid address' : to.origin;
  throw new SourceFailure(
    'response',
    `${target.source.name} redirects to ${place}, which does not get the credential; if that is the right address, pass it as ${addressIn(target)}.`,
  );
}

function headerOf({ source }: ProductTarget, secret: string): readonly [string, string] {
  if (source.credential === undefined) return ['', ''];
  return source.credential.header?.(secret) ?? ['authorization', `Bearer ${secret}`];
}

function statusFailure(
  target: ProductTarget,
  request: SourceRequest,
  { status, headers }: Pick<ProductReply, 'status' | 'headers'>,
): SourceFailure {
  const name = nameOf(target, request);
  if (status === 401 || status === 403) return credentialFailure(target, `${status}`, status);
  if (RETRIED.has(status)) {
    const kind = status === 429 ? 'busy' : 'network';
    const isTold = status !== 429 || headers.has('retry-after');
    const wait = isTold ? retryAfter(headers, Date.now()) : (target.source.waitMs ?? 0);
    const text =
      wait > LONGEST_WAIT_MS
        ? `${name} asks to wait ${Math.ceil(wait / 60_000)} minutes (${status}); run it again then.`
        : `${name} answered with status ${status}, ${ATTEMPTS} times; run it again later.`;
    return new SourceFailure(kind, text, { status, retryAfterMs: wait });
  }
  const kind = status === 404 ? 'missing' : status === 410 ? 'expired' : 'response';
  const twice = repeatedIn(target, request);
  const check = `check ${addressIn(target)}${twice === undefined ? '' : `, and leave out ${twice} at its end`}`;
  return new SourceFailure(kind, `${name} answered with status ${status}; ${check}.`, { status });
}

/** Returns the end of the address that the path begins with, as in `/v1/v1/changes`. */
function repeatedIn({ url }: ProductTarget, { path }: SourceRequest): string | undefined {
  const [start = ''] = /^\/[^/]+/.exec(path) ?? [];
  return start !== '' && new URL(url).pathname.endsWith(start) ? start : undefined;
}

function problemFailure(
  target: ProductTarget,
  request: SourceRequest,
  { problem, status }: { readonly problem: Problem; readonly status: number },
): SourceFailure {
  const { kind, code = '', retryAfterMs = 0 } = problem;
  if (kind === 'credential') return credentialFailure(target, 'in its response', status);
  // A code could be any text; it is shown if it looks like one.
  const shown = /^\w{1,60}$/.test(code) ? `the error ${code}` : 'an error';
  const what = kind === 'busy' ? 'asks to wait' : `answered with ${shown}`;
  const text = `${nameOf(target, request)} ${what}; run it again later.`;
  return new SourceFailure(kind, text, { status, retryAfterMs });
}

function credentialFailure(target: ProductTarget, where: string, status: number) {
  const { source, secret, isFromApp = false } = target;
  if (source.credential === undefined)
    return new SourceFailure(
      'credential',
      `${source.name} asks for a credential (${where}), which it should not need; check ${addressIn(target)}.`,
      { status },
    );
  const { variable, renewal } = source.credential;
  const remedy = isFromApp
    ? (renewal ?? 'enter a valid one on the page Sources, as the product shows it now')
    : secret === undefined
      ? `give one in ${variable} or with --credential-file`
      : (renewal ?? `put a valid one into ${variable} or the file of --credential-file`);
  return new SourceFailure(
    'credential',
    `${source.name} refuses the ${isFromApp ? 'key' : 'credential'} (${where}); ${remedy}.`,
    { status },
  );
}

async function pause(target: ProductTarget, ms: number): Promise<void> {
  try {
    await delay(ms, target.signal);
  } catch (error) {
    stopIfAsked(target);
    throw error;
  }
}

/** Throws `SourceFailure` if the run was stopped by a signal. */
export function stopIfAsked({ signal }: Pick<ProductTarget, 'signal'>): void {
  if (signal.aborted) throw new SourceFailure('stopped', 'It was stopped.');
}

/** Names a request without its query, which can have a credential in it. */
function nameOf({ url, source }: ProductTarget, { path }: SourceRequest): string {
  return `${source.name} (${new URL(url + path).origin}${new URL(url + path).pathname})`;
}

function reasonOf(error: unknown): string {
  const { cause, name } = error as Error;
  const { code } = (cause ?? error) as { readonly code?: unknown };
  if (name === 'TimeoutError') return 'timeout';
  return typeof code === 'string' ? code : 'connection lost';
}
