// The OpenAPI document at /openapi.json, generated from the contract at its first request.

import { hash } from 'node:crypto';

import * as v from 'valibot';

import { toJson } from '../../contract/json.ts';
import type { Examples } from '../../contract/openapi/document.ts';
import { Memory, type Change } from '../../contract/schemas/memory.ts';
import type { SearchResult } from '../../contract/schemas/passages.ts';
import { readOwn } from '../../files.ts';
import { once } from '../../lib/once.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { VERSION } from '../../version.ts';
import { cutLines } from '../endpoints/line-range.ts';
import type { GatewayRequest } from '../request/request.ts';
import { ADDED_BY_PROXIES, requestedUrl } from '../request/transport.ts';
import { createEncoded } from '../response/compression.ts';
import type { PublicDocument } from './docs.ts';

/** Returns the address that the document was fetched from, or its path if a proxy may have another address. */
export function fetchedAddress(request: GatewayRequest): string {
  const { headers, base } = request;
  if (!base.startsWith('/') && base !== '') return base;
  if (ADDED_BY_PROXIES.some((name) => headers.has(name))) return base;
  const url = requestedUrl(request);
  return url === null ? base : `${url.origin}${base}`;
}

/** Creates the function that returns the document for a base. It caches the latest. */
export function createOpenApiDocument(): (base: string) => Promise<PublicDocument> {
  let latest:
    | { readonly base: string; readonly document: () => Promise<PublicDocument> }
    | undefined;
  return (base) => {
    if (latest?.base !== base) latest = { base, document: once(() => toDocument(base)) };
    return latest.document();
  };
}

async function toDocument(base: string): Promise<PublicDocument> {
  const body = toJson(await buildOpenApi(base));
  const type = 'application/json; charset=utf-8';
  return { type, etag: hash('sha256', body), body, encoded: createEncoded(body), headers: [] };
}

/** Generates the document without its address. The generator is imported here, so that serving does not wait for it. */
const generate = once(async (): Promise<object> => {
  const { toOpenApi } = await import('../../contract/openapi/document.ts');
  return toOpenApi({ version: VERSION, baseUrl: '', examples: readExamples() });
});

/** Builds the OpenAPI document. */
export async function buildOpenApi(base: string): Promise<object> {
  const document = await generate();
  return base === '' ? document : { ...document, servers: [{ url: base }] };
}

const FIXTURES = 'fixtures/memories/mira.json';

/** Reads an example response of each endpoint from the fixtures in the package. */
export function readExamples() {
  const memories = v.parse(v.array(Memory), JSON.parse(readOwn(FIXTURES).toString()));
  const [finished, processing] = [false, true].map((is_processing) =>
    memories
      .filter((memory) => memory.is_processing === is_processing)
      .reduce((a, b) => (b.transcript.length < a.transcript.length ? b : a)),
  ) as [Memory, Memory];
  const list = [finished, processing].toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1));
  const changes: Change[] = [
    { memory_id: processing.id, change: 'upsert', changed_at: minutesAfter(processing, 1) },
    { memory_id: finished.id, change: 'delete', changed_at: minutesAfter(processing, 60) },
  ];
  const days = memories
    .slice(0, 2)
    .toReversed()
    .map(({ started_at, duration_seconds }) => ({
      date: started_at.slice(0, 'YYYY-MM-DD'.length),
      memories: 1,
      duration_seconds,
    }));
  const lines = cutLines(finished, { first: 1, last: 2 });
  const [first = ''] = lines.text.split('\n');
  const word = /\p{L}{4,}/u.exec(first.slice(first.indexOf(':') + 1))?.[0] ?? '';
  const mark = first.indexOf(word, first.indexOf(':') + 1);
  const found: SearchResult = {
    passages: [
      {
        memory_id: finished.id,
        name: finished.name,
        started_at: finished.started_at,
        is_processing: false,
        source: 'transcript',
        lines: [lines.first, lines.last],
        text: lines.text,
        marks: [[mark, mark + word.length]],
      },
    ],
    memories_found: 1,
    memories_searched: memories.length,
    absent_words: ['crystl'],
    nearest_words: { crystl: ['crystal'] },
    searched_instead: { crystl: ['crystal'] },
  };
  return {
    memories: { list, get: finished, lines },
    search: { passages: found },
    days: { list: days },
    people: {},
    tags: {},
    actionItems: {},
    changes: { list: changes },
  } satisfies Examples;
}

function minutesAfter({ ended_at }: Memory, minutes: number): string {
  return new Date(Date.parse(ended_at) + minutes * MINUTE_MS).toISOString();
}
