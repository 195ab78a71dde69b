// Generates the OpenAPI 3.1 document from the routes.

import type { JsonSchema } from '@valibot/to-json-schema';

import { entryOf } from '../check-input.ts';
import { isInPath, isRepeated, type Endpoint } from '../endpoints.ts';
import { httpEndpoints } from '../file-routes.ts';
import type { Contract, Output, Route } from '../route.ts';
import type { routes } from '../routes.ts';
import type { EndpointDescription } from './description-types.ts';
import { endpointDescriptions, groupDescriptions } from './descriptions.ts';
import {
  responseHeaders,
  documentedFailure,
  failuresOf,
  headers,
  notModified,
  rangeHeaders,
} from './responses.ts';
import { namedSchemas, toResponseSchema, toSchema } from './schemas.ts';

/** Example responses of endpoints. */
export type Examples<C extends Contract = typeof routes> = {
  readonly [G in keyof C]: { readonly [N in keyof C[G]]?: Output<C[G][N]> };
};

/** Content of the document that is not in the contract. */
export interface OpenApiOptions {
  /** The version of the program. */
  readonly version: string;
  /** The prefix of `/v1`, without a slash at its end: `''`, a path or a URL. */
  readonly baseUrl: string;
  readonly examples: Examples;
}

const DESCRIPTION = `Read-only access to recorded memories. The API key determines the account.

A key may have a scope: names and summaries without transcripts, memories that start in a window of time, or memories from one source or with some tags. Everything else does not exist for such a key, and a request for a transcript is 403.

Every error has the same body: \`{"detail": "…"}\`, one sentence that tells you what to do. Send the \`etag\` of a response back in \`if-none-match\` to get 304 if nothing has changed. Send \`accept-encoding\` to get a compressed response.

\`HEAD\` returns the headers of \`GET\` without the body.`;

const ifNoneMatch = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: 'The `etag` of your cached response, several separated by commas, or `*`.',
  schema: { type: 'string' },
};

const range = {
  name: 'range',
  in: 'header',
  required: false,
  description: 'One range of bytes, such as `bytes=0-1023`. Default: the whole file.',
  schema: { type: 'string' },
};

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, sent as `Authorization: Bearer KEY`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key, sent as `X-API-Key: KEY`.',
  },
};

/** A file has the media type that it came with. */
const fileContent = { '*/*': { schema: { type: 'string', format: 'binary' } } };

/** Generates the document. The same options always give the same document. */
export function toOpenApi({ version, baseUrl, examples }: OpenApiOptions) {
  const failures = [...new Set(httpEndpoints.flatMap(({ route }) => failuresOf(route.failures)))];
  return {
    openapi: '3.1.1',
    info: {
      title: 'Memory Gateway',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl || '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: Object.entries(groupDescriptions).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      httpEndpoints.map((endpoint) => [
        endpoint.route.path,
        { get: toOperation(endpoint, examples) },
      ]),
    ),
    components: {
      schemas: namedSchemas,
      parameters: { 'if-none-match': ifNoneMatch, range },
      headers,
      responses: Object.fromEntries(
        failures.map((status) => [`Failure${status}`, documentedFailure(status)]),
      ),
      securitySchemes,
    },
  };
}

type Groups<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

function toOperation({ name, route }: Endpoint<Route>, examples: Examples) {
  const { input, summary, failures } = route;
  const [group = '', member = ''] = name.split('.');
  const shown: Groups<unknown> = examples;
  const all: Groups<EndpointDescription> = endpointDescriptions;
  const texts = all[group]?.[member] as EndpointDescription;
  return {
    operationId: name,
    tags: [group],
    summary,
    description: texts.description,
    parameters: [
      ...Object.keys(input.entries).map((key) => toParameter(route, key, texts)),
      { $ref: '#/components/parameters/if-none-match' },
      ...(route.hasRanges ? [{ $ref: '#/components/parameters/range' }] : []),
    ],
    responses: {
      200: {
        description: texts.response,
        headers: responseHeaders(route),
        content: route.isFile
          ? fileContent
          : {
              'application/json': {
                schema: toResponseSchema(route),
                ...exampleIf(shown[group]?.[member]),
              },
            },
      },
      ...(route.hasRanges && {
        206: {
          description: 'The range that the request asks for.',
          headers: rangeHeaders(route),
          content: fileContent,
        },
      }),
      304: notModified,
      ...Object.fromEntries(
        failuresOf(failures).map((status) => [
          status,
          { $ref: `#/components/responses/Failure${status}` },
        ]),
      ),
    },
  };
}

function toParameter(
  route: Route,
  name: string,
  { parameters, examples = {} }: EndpointDescription,
) {
  const parameter = entryOf(route.input, name);
  const { description, ...rest } = toSchema(parameter);
  const schema: JsonSchema = rest;
  const texts: Readonly<Record<string, string>> = parameters;
  const values: Readonly<Record<string, unknown>> = { ...examples };
  return {
    name,
    in: isInPath(route, name) ? 'path' : 'query',
    required: parameter === route.input.entries[name],
    description: `${texts[name]} Must be ${description}.`,
    schema,
    ...(schema.type === 'array' ? { style: 'form', explode: isRepeated(name) } : {}),
    ...exampleIf(values[name]),
  };
}

function exampleIf(example: unknown): { example?: unknown } {
  return example === undefined ? {} : { example };
}
