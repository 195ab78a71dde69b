// Checks responses against the OpenAPI document: everything in a response must be documented.

import assert from 'node:assert/strict';
import * as zlib from 'node:zlib';

import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { toOpenApi } from '../../../src/contract/openapi/document.ts';
import { readExamples } from '../../../src/gateway/public/openapi.ts';
import { assertFields, extentOf, narrow, type Extent } from './selected-fields.ts';

/** The part of a request that identifies its operation. */
export interface Asked {
  readonly method: string;
  /** The request target, in origin-form or absolute-form. */
  readonly target: string;
  /** Whether the key may read summaries only, so that no memory is whole. */
  readonly isScoped?: boolean | undefined;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Response {
  readonly content?: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
}

/** The document that responses are checked against. */
export const document = toOpenApi({ version: '0.0.0', baseUrl: '', examples: readExamples() });

/** Headers of HTTP itself, and of CORS, which is off by default. */
const TRANSPORT =
  /^(date|connection|keep-alive|content-length|transfer-encoding|access-control-.+)$/;

/** The prefix at which tests mount a gateway. */
const MOUNTS = /^\/(some\/prefix|recordings)(?=\/)/;

/** Decodes a body by its content encoding. */
export const UNPACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: zlib.zstdDecompressSync,
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
};

const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
ajv.addVocabulary(Object.keys(document)); // OpenAPI's own keywords around the schemas
ajv.addSchema(closed('whole'), 'whole');
ajv.addSchema(closed('cut'), 'cut');

const operations = Object.entries(document.paths).map(([path, { get }]) => ({
  path,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  responses: get.responses as Readonly<Record<string, Response | { readonly $ref: string }>>,
  isCut: JSON.stringify(get.responses).includes('anyOf'),
}));

/** Every status of every operation, as `GET /v1/memories 200`. */
export const allStatuses = operations.flatMap(({ path, responses }) =>
  Object.keys(responses).map((status) => `GET ${path} ${status}`),
);

/**
 * Asserts that a response is documented. HEAD is checked as GET. Returns the documented response,
 * as in `allStatuses`, if the method was GET.
 */
export function assertDocumented(
  { method, target, isScoped }: Asked,
  answer: Answered,
): string | undefined {
  const { status, headers, body } = answer;
  const what = `${method} ${target.slice(0, 100)} ${status}`;
  const isWhole = method !== 'HEAD' && status !== 304;
  const operation = ['GET', 'HEAD'].includes(method) ? operationOf(target) : undefined;
  if (operation === undefined) {
    // The app has a page at addresses that somebody has mistyped, and for links that have ended.
    const isPage =
      status === 404 &&
      /\/(?:app\/(?!v1(\/|$))[^.]*|s\/.*)$/.test(target) &&
      headers['content-type'] === 'text/html; charset=utf-8';
    // The errors of OAuth have a form of their own (RFC 6749 §5.2).
    if (status >= 400 && isWhole && !isPage && !isOAuthError(target, answer))
      assertValid('whole#/components/schemas/Error', parse(answer), what);
    return undefined;
  }
  const found = operation.responses[status];
  assert.ok(found, `${what}: no such status in the document`);
  const place = pointer('paths', operation.path, 'get', 'responses', String(status));
  const [at, response] = '$ref' in found ? [found.$ref, follow(found.$ref)] : [place, found];

  assertHeaders(response.headers, headers, what);
  // The document cannot say that only pages of the latest changes end.
  if (operation.path === '/v1/changes' && status === 200 && !/[?&](?:order|cursor)=/.test(target)) {
    const { link } = headers;
    assert.ok(link, `${what}: the header link is missing`);
    assert.match(link, /\?since=/, `${what}: the header link must match pattern since=`);
  }
  const isFile = response.content !== undefined && '*/*' in response.content;
  const type = response.content && 'application/json; charset=utf-8';
  if (isFile) assert.match(headers['content-type'] ?? '', /^[a-z]+\/[\w.+-]+$/, what);
  else assert.equal(headers['content-type'], type, what);
  if (response.content === undefined) assert.equal(body.length, 0, what);
  else if (isWhole && !isFile) {
    const [extent, value] = [extentOf(target, isScoped), parse(answer)];
    const schema = pointer('content', 'application/json', 'schema').slice(1);
    assertValid(`${extent.kind}${at}${schema}`, value, what);
    if (status === 200 && operation.isCut) assertFields(extent, value, what);
  }
  return method === 'GET' ? `GET ${operation.path} ${status}` : undefined;
}

function isOAuthError(target: string, answer: Answered): boolean {
  if (!/\/oauth\/(?:token|revoke|register)$/.test(target)) return false;
  return typeof (parse(answer) as { error?: unknown }).error === 'string';
}

function assertHeaders(
  documented: Response['headers'],
  sent: Answered['headers'],
  what: string,
): void {
  for (const name of Object.keys(sent)) {
    const isKnown = name in documented || name === 'content-type' || TRANSPORT.test(name);
    assert.ok(isKnown, `${what}: no header ${name} in the document`);
  }
  for (const [name, { $ref }] of Object.entries(documented)) {
    const { required } = follow($ref) as { required?: boolean };
    const value = sent[name];
    if (value !== undefined) assertValid(`whole${$ref}/schema`, value, `${what}: ${name}`);
    else assert.ok(!required, `${what}: the header ${name} is missing`);
  }
}

function operationOf(target: string) {
  const [, origin = target] = /^https?:\/\/[^/?#]*(.*)$/i.exec(target) ?? [];
  const [path = ''] = origin.replace(MOUNTS, '').split('?');
  return operations.find(({ pattern }) => pattern.test(path));
}

function assertValid(at: string, value: unknown, what: string): void {
  const validate = ajv.getSchema(at);
  assert.ok(validate, at);
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`);
}

function parse({ headers, body }: Answered): unknown {
  const unpack = UNPACK[headers['content-encoding'] ?? ''] ?? ((bytes: Buffer) => bytes);
  return JSON.parse(unpack(body).toString());
}

/** Formats a JSON pointer as a fragment. */
function pointer(...steps: string[]): string {
  const escaped = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `#/${escaped.map(encodeURIComponent).join('/')}`;
}

function follow(ref: string): Response {
  const steps = ref.slice(2).split('/');
  return steps.reduce(
    (node, step) => node[step] as Record<string, unknown>,
    document as Record<string, unknown>,
  ) as unknown as Response;
}

/** Forbids fields that the document does not name. Clients accept them, but tests must not. */
function closed(kind: Extent['kind']): object {
  const copy = narrow(document, kind);
  for (const schema of Object.values(copy.components.schemas)) schema.additionalProperties = false;
  return copy;
}
