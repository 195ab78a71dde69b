// openapi: prints the OpenAPI document of the API.

import { buildOpenApi } from '../../gateway/public/openapi.ts';
import { readBaseUrl } from '../args/values.ts';
import type { Command } from '../command.ts';

/** Prints the OpenAPI document. */
export const openapiCommand: Command = {
  summary: 'Print the OpenAPI 3.1 document of the API',
  options: ['base-url'],
  examples: [['Write the document to a file', 'memory-gateway openapi > openapi.json']],
  run: async (args) => {
    const document = await buildOpenApi(readBaseUrl(args.text('base-url')));
    return { text: JSON.stringify(document, null, 2) };
  },
};
