// toOpenApi: the routes as an OpenAPI 3.1 document, for generators, viewers and people.

import type { JsonSchema } from '@valibot/to-json-schema';

import type { Contract, Output, Route } from './api.ts';
import { endpointsOf, isInPath, type Endpoint } from './endpoints.ts';
import { namedSchemas, toAnswerSchema, toSchema } from './jsonschema.ts';
import { parameterSchema } from './parameters.ts';
import { answerHeaders, failureResponse, failuresOf, headers, notModified } from './responses.ts';
import { routes } from './routes.ts';
import { endpointWords, groupWords, type EndpointWords } from './words.ts';

/** Answers of endpoints, to show. */
export type Examples<C extends Contract = typeof routes> = {
  readonly [G in keyof C]: { readonly [N in keyof C[G]]?: Output<C[G][N]> };
};

/** What the document says beside the contract. */
export interface OpenApiOptions {
  /** The version of the program. */
  readonly version: string;
  /** What stands in front of `/v1`: nothing, a path, or an address; without a slash at the end. */
  readonly baseUrl: string;
  readonly examples: Examples;
}

const DESCRIPTION = `Read-only access to recorded memories. The key decides whose memories they are; no parameter does.

Whatever goes wrong, the body is \`{"detail": "…"}\`: one sentence that says what to do. Send the \`etag\` of an answer back in \`if-none-match\`, and the answer is 304 while nothing has changed. Answers are compressed when \`accept-encoding\` asks for it.

\`HEAD\` answers as \`GET\` does, without the body.`;

const ifNoneMatch = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: 'The `etag` of a copy that the caller holds, several with commas between, or `*`.',
  schema: { type: 'string' },
};

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A key as `Authorization: Bearer KEY`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'A key as `X-API-Key: KEY`.',
  },
};

/** Draws the document from the contract; the same input makes the same document. */
export function toOpenApi({ version, baseUrl, examples }: OpenApiOptions) {
  const endpoints = endpointsOf<Route>(routes);
  const failures = [...new Set(endpoints.flatMap(({ route }) => failuresOf(route.failures)))];
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
    tags: Object.entries(groupWords).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.route.path, { get: toOperation(endpoint, examples) }]),
    ),
    components: {
      schemas: namedSchemas,
      parameters: { 'if-none-match': ifNoneMatch },
      headers,
      responses: Object.fromEntries(
        failures.map((status) => [`Failure${status}`, failureResponse(status)]),
      ),
      securitySchemes,
    },
  };
}

type Words = Readonly<Record<string, unknown>>;
type Groups<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

function toOperation({ name, route }: Endpoint<Route>, examples: Examples) {
  const { input, summary, failures } = route;
  const [group = '', member = ''] = name.split('.');
  const shown: Groups<unknown> = examples;
  const words = (endpointWords as Groups<EndpointWords>)[group]?.[member] as EndpointWords;
  return {
    operationId: name,
    tags: [group],
    summary,
    description: words.description,
    parameters: [
      ...Object.keys(input.entries).map((key) => toParameter(route, key, words)),
      { $ref: '#/components/parameters/if-none-match' },
    ],
    responses: {
      200: {
        description: words.answer,
        headers: answerHeaders(route),
        content: {
          'application/json': { schema: toAnswerSchema(route), ...shownIf(shown[group]?.[member]) },
        },
      },
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

function toParameter(route: Route, name: string, { parameters, tries = {} }: EndpointWords) {
  const taken = parameterSchema(route, name);
  const { description, ...rest } = toSchema(taken);
  const schema: JsonSchema = rest;
  const example = (tries as Words)[name];
  return {
    name,
    in: isInPath(route, name) ? 'path' : 'query',
    required: taken === route.input.entries[name],
    // What it takes is what a 422 says, too.
    description: `${String((parameters as Words)[name])}. Takes ${description}.`,
    schema,
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    ...shownIf(example),
  };
}

function shownIf(example: unknown): { example?: unknown } {
  return example === undefined ? {} : { example };
}
