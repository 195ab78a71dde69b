// The rules that every response must follow, to any request, as a table.

import { hash } from 'node:crypto';

import * as v from 'valibot';

import { Day } from '../../src/contract/schemas/day-totals.ts';
import { Change, MemoryFields } from '../../src/contract/schemas/memory.ts';
import { TranscriptLines } from '../../src/contract/schemas/part.ts';
import { SearchResult } from '../../src/contract/schemas/passages.ts';
import type { Answer } from './read-responses.ts';

/** Returns whether a response follows a rule. */
type Holds = (answer: Answer) => boolean;

/** Statuses after which the server closes the connection. */
const CLOSING = new Set([400, 408, 414, 417, 431, 501, 505]);

/**
 * The documented statuses, plus the redirects to the app and the reference page. 500 and 503 are missing because
 * no request may cause them.
 */
const STATUSES = new Set([
  200,
  202,
  303,
  304,
  308,
  401,
  403,
  404,
  405,
  410,
  413,
  415,
  422,
  ...CLOSING,
]);

const JSON_TYPE = 'application/json; charset=utf-8';

/** Internal details that no response may reveal. */
const INSIDE = /SQL|sqlite|node:|\.ts\b|\bat .*\(|stack/i;

const isPresent = (name: string, value: RegExp): Holds => {
  return ({ headers }) => value.test(headers.get(name) ?? '');
};

const always: Readonly<Record<string, Holds>> = {
  'a documented status': ({ status }) => STATUSES.has(status),
  'an x-request-id': isPresent('x-request-id', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/),
  'x-content-type-options: nosniff': isPresent('x-content-type-options', /^nosniff$/),
  'a date': isPresent('date', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/),
  'no CORS headers': ({ headers }) =>
    ![...headers.keys()].some((name) => name.startsWith('access-')),
};

const ofCaller: Readonly<Record<string, Holds>> = {
  'cache-control: private, no-cache': isPresent('cache-control', /^private, no-cache$/),
  'vary, by key and encoding': isPresent('vary', /^authorization, x-api-key, accept-encoding$/),
};

/** The rules below `/s/`, where nothing may be stored. No link was shared, so there is never content. */
const shared: Readonly<Record<string, Holds>> = {
  'no content without a shared link': ({ status }) => status === 404 || status === 405,
  'vary, by encoding': isPresent('vary', /^accept-encoding$/),
};

/** The rules for the page that says that a link leads nowhere. */
const sharedPage: Readonly<Record<string, Holds>> = {
  'a policy without scripts': isPresent(
    'content-security-policy',
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri/,
  ),
  'x-robots-tag: noindex': isPresent('x-robots-tag', /^noindex, nofollow$/),
  'a length': isPresent('content-length', /^\d+$/),
  'no internal details': ({ body }) => !INSIDE.test(body.toString()),
};

const failed: Readonly<Record<string, Holds>> = {
  'content-type of JSON': isPresent('content-type', new RegExp(`^${JSON_TYPE}$`)),
  'a length': isPresent('content-length', /^\d+$/),
  'a detail and nothing else': ({ body, isHead }) => isHead || detailOf(body) !== undefined,
  'a sentence': ({ body, isHead }) => isHead || /^[A-Z].{10,}[.?]$/.test(detailOf(body) ?? ''),
  'no internal details': ({ body }) => !INSIDE.test(body.toString()),
  'www-authenticate only on 401': ({ status, headers }) =>
    (status === 401) === (headers.get('www-authenticate') === 'Bearer'),
  'allow only on 405': ({ status, headers }) =>
    (status === 405) === /^(GET, HEAD|POST)$/.test(headers.get('allow') ?? ''),
  'connection: close on a framing error': ({ status, headers }) =>
    !CLOSING.has(status) || headers.get('connection') === 'close',
};

/** The rules for a response to an agent's message, which has an error of JSON-RPC if it fails. */
const messages: Readonly<Record<string, Holds>> = {
  'a content-type of JSON or of events': isPresent(
    'content-type',
    /^(application\/json(; charset=utf-8)?|text\/event-stream)$/,
  ),
  'no internal details': ({ body }) => !INSIDE.test(body.toString()),
};

const answered: Readonly<Record<string, Holds>> = {
  'no body on 304': ({ status, body, headers }) =>
    status !== 304 || (body.length === 0 && headers.has('etag')),
  'the location of the reference page on 308': ({ status, headers }) =>
    status !== 308 || headers.get('location') === '../docs',
  'a body as the contract describes': (answer) =>
    answer.status !== 200 || answer.isHead || isOurs(answer),
};

/** Returns the first rule that a response breaks, if any. */
export function brokenPromise(answer: Answer): string | undefined {
  const rows = { ...always, ...rulesFor(answer) };
  return Object.keys(rows).find((name) => !rows[name]?.(answer));
}

function rulesFor(answer: Answer): Readonly<Record<string, Holds>> {
  if (answer.headers.get('cache-control') !== 'no-store')
    return { ...ofCaller, ...rulesForKey(answer) };
  const isPage = answer.headers.get('content-type') === 'text/html; charset=utf-8';
  return { ...shared, ...(isPage ? sharedPage : failed) };
}

function rulesForKey(answer: Answer): Readonly<Record<string, Holds>> {
  if (answer.status === 202 || /^(event: |\{[^]*"jsonrpc":"2.0")/.test(answer.body.toString()))
    return messages;
  return answer.status >= 400 ? failed : answered;
}

/** Returns the detail of a failure, or undefined if the body has another shape. */
export function detailOf(body: Buffer): string | undefined {
  const read = v.safeParse(Failed, parse(body));
  return read.success ? read.output.detail : undefined;
}

const Failed = v.strictObject({ detail: v.string() });

const Ours = v.union([
  v.array(MemoryFields),
  v.array(Change),
  MemoryFields,
  TranscriptLines,
  SearchResult,
  v.array(Day),
  v.strictObject({ status: v.picklist(['up', 'ready']) }),
  v.looseObject({ openapi: v.string(), paths: v.looseObject({}) }),
]);

/** Bodies that passed the check before. Most responses repeat, so this saves time. */
const known = new Set<string>();

function isOurs({ body, headers }: Answer): boolean {
  if (headers.get('content-type') !== JSON_TYPE) return headers.has('etag'); // a file of the reference page
  const name = hash('sha256', body);
  if (known.has(name)) return true;
  const isGood = v.is(Ours, parse(body));
  if (isGood && known.size < 50_000) known.add(name);
  return isGood;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
