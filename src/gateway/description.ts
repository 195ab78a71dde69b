// The description of the API at /openapi.json, drawn from the contract when it is first asked for.

import { hash } from 'node:crypto';

import { toJson } from '../contract/json.ts';
import type { Document } from './document.ts';
import { readExamples } from './examples.ts';
import { VERSION } from './version.ts';

let latest: { readonly base: string; readonly document: Document } | undefined;

/** Describes the API as it is reached under a base; the last one is kept. */
export async function describeApi(base: string): Promise<Document> {
  if (latest?.base === base) return latest.document;
  const body = toJson(await openApi(base));
  const type = 'application/json; charset=utf-8';
  const document = { type, etag: hash('sha256', body), body, headers: [] };
  latest = { base, document };
  return document;
}

/** Makes the OpenAPI document; what makes it is loaded now, so that serving does not wait for it. */
export async function openApi(base: string): Promise<object> {
  const { toOpenApi } = await import('../contract/openapi.ts');
  return toOpenApi({ version: VERSION, baseUrl: base, examples: readExamples() });
}
