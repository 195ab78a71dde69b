// A document for the reference page, written by hand: two operations, two ways to send a key.

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ 'application/json': { schema } });
const failures = {
  401: { description: 'No key, or none that opens an account', content: json(ref('Error')) },
  422: { description: 'A malformed id or parameter', content: json(ref('Error')) },
};
const text = { type: 'string' };

/** An OpenAPI document of the gateway at a prefix. */
export function openapiAt(prefix: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Memory Gateway',
      version: '0.0.0',
      description: 'Press **Authorize**, paste a key, and send requests from this page.',
    },
    servers: [{ url: prefix === '' ? '/' : prefix }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [{ name: 'memories', description: 'Recorded conversations' }],
    paths: {
      '/v1/memories': {
        get: {
          operationId: 'listMemories',
          tags: ['memories'],
          summary: 'List the memories of the key owner, newest first',
          parameters: [
            {
              name: 'limit',
              in: 'query',
              description: 'a whole number from 1 to 1000',
              schema: { type: 'integer', minimum: 1, maximum: 1000 },
              example: 3,
            },
            { name: 'order', in: 'query', schema: { ...text, enum: ['desc', 'asc'] } },
          ],
          responses: {
            200: {
              description: 'Memories',
              content: json({ type: 'array', items: ref('Memory') }),
            },
            ...failures,
          },
        },
      },
      '/v1/memories/{memory_id}': {
        get: {
          operationId: 'getMemory',
          tags: ['memories'],
          summary: 'Get one memory',
          parameters: [
            {
              name: 'memory_id',
              in: 'path',
              required: true,
              description: 'an id, as in the list',
              schema: text,
            },
          ],
          responses: {
            200: { description: 'The memory', content: json(ref('Memory')) },
            ...failures,
          },
        },
      },
    },
    components: {
      schemas: {
        Memory: { type: 'object', properties: { id: text, name: text, transcript: text } },
        Error: { type: 'object', required: ['detail'], properties: { detail: text } },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer KEY`' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  };
}
