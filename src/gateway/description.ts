// The description of the API at /openapi.json, drawn from the contract when it is first asked for.

import { hash } from 'node:crypto';

import { toJson } from '../contract/json.ts';
import { packOnce } from './coding.ts';
import type { Document } from './document.ts';
import { readExamples } from './examples.ts';
import { VERSION } from './version.ts';

/** Makes the function that describes the API as it is reached under a base; the last one is kept. */
export function createDescription(): (base: string) => Promise<Document> {
  let latest: { readonly base: string; readonly document: Promise<Document> } | undefined;
  return (base) => {
    if (latest?.base === base) return latest.document;
    const made = { base, document: describe(base) };
    latest = made;
    made.document.catch(() => {
      if (latest === made) latest = undefined; // to be tried again
    });
    return made.document;
  };
}

async function describe(base: string): Promise<Document> {
  const body = toJson(await openApi(base));
  const type = 'application/json; charset=utf-8';
  return { type, etag: hash('sha256', body), body, pack: packOnce(body), headers: [] };
}

/** Makes the OpenAPI document; what makes it is loaded now, so that serving does not wait for it. */
export async function openApi(base: string): Promise<object> {
  const { toOpenApi } = await import('../contract/openapi.ts');
  return toOpenApi({ version: VERSION, baseUrl: base, examples: readExamples() });
}
