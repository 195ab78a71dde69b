// Promises: what every answer must be, whatever was asked, each a row of a table.

import { hash } from 'node:crypto';

import * as v from 'valibot';

import { Change } from '../../src/contract/change.ts';
import { MemoryFields } from '../../src/contract/memory.ts';
import type { Answer } from './answers.ts';

/** Tells whether an answer keeps a promise. */
type Holds = (answer: Answer) => boolean;

/** Statuses after which nothing more comes on a connection. */
const CLOSING = new Set([400, 408, 414, 417, 431, 501, 505]);

/** All that the README names but 500 and 503, which nothing that is asked may lead to, and the way to the page. */
const STATUSES = new Set([200, 304, 308, 401, 404, 405, 422, ...CLOSING]);

const JSON_TYPE = 'application/json; charset=utf-8';

/** What stands in no answer: it is of the inside. */
const INSIDE = /SQL|sqlite|node:|\.ts\b|\bat .*\(|stack/i;

const isPresent = (name: string, value: RegExp): Holds => {
  return ({ headers }) => value.test(headers.get(name) ?? '');
};

const always: Readonly<Record<string, Holds>> = {
  'a status that is documented': ({ status }) => STATUSES.has(status),
  'an x-request-id': isPresent('x-request-id', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/),
  'x-content-type-options: nosniff': isPresent('x-content-type-options', /^nosniff$/),
  'cache-control: private, no-cache': isPresent('cache-control', /^private, no-cache$/),
  'vary, by key and coding': isPresent('vary', /^authorization, x-api-key, accept-encoding$/),
  'a date': isPresent('date', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/),
  'no CORS headers': ({ headers }) =>
    ![...headers.keys()].some((name) => name.startsWith('access-')),
};

const failed: Readonly<Record<string, Holds>> = {
  'content-type of JSON': isPresent('content-type', new RegExp(`^${JSON_TYPE}$`)),
  'a length': isPresent('content-length', /^\d+$/),
  'a detail and nothing else': ({ body, isHead }) => isHead || detailOf(body) !== undefined,
  'a sentence': ({ body, isHead }) => isHead || /^[A-Z].{10,}\.$/.test(detailOf(body) ?? ''),
  'nothing of the inside': ({ body }) => !INSIDE.test(body.toString()),
  'www-authenticate where it is 401': ({ status, headers }) =>
    (status === 401) === (headers.get('www-authenticate') === 'Bearer'),
  'allow where it is 405': ({ status, headers }) =>
    (status === 405) === (headers.get('allow') === 'GET, HEAD'),
  'an end of the connection where it is in doubt': ({ status, headers }) =>
    !CLOSING.has(status) || headers.get('connection') === 'close',
};

const answered: Readonly<Record<string, Holds>> = {
  'no body where the caller holds it': ({ status, body, headers }) =>
    status !== 304 || (body.length === 0 && headers.has('etag')),
  'the page where the page is': ({ status, headers }) =>
    status !== 308 || headers.get('location') === '../docs',
  'what the contract says': (answer) => answer.status !== 200 || answer.isHead || isOurs(answer),
};

/** Names the first promise that an answer breaks. */
export function brokenPromise(answer: Answer): string | undefined {
  const rows = { ...always, ...(answer.status >= 400 ? failed : answered) };
  return Object.keys(rows).find((name) => !rows[name]?.(answer));
}

/** The detail of a failure; undefined where its body is not of the one shape. */
export function detailOf(body: Buffer): string | undefined {
  const read = v.safeParse(Failed, parse(body));
  return read.success ? read.output.detail : undefined;
}

const Failed = v.strictObject({ detail: v.string() });

const Ours = v.union([
  v.array(MemoryFields),
  v.array(Change),
  MemoryFields,
  v.strictObject({ status: v.picklist(['up', 'ready']) }),
  v.looseObject({ openapi: v.string(), paths: v.looseObject({}) }),
]);

/** Bodies that were found to be ours: most come again and again. */
const known = new Set<string>();

function isOurs({ body, headers }: Answer): boolean {
  if (headers.get('content-type') !== JSON_TYPE) return headers.has('etag'); // a file of the page
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
