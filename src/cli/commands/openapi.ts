// openapi: prints the OpenAPI document of the API.

import { buildOpenApi } from '../../gateway/public/openapi.ts';
import { readBaseUrl } from '../args/values.ts';
import type { Command } from '../command.ts';

/** Where serve listens by default. */
const DEFAULT_ADDRESS = 'http://127.0.0.1:8787';

/** Prints the OpenAPI document. */
export const openapiCommand: Command = {
  summary: 'Print the OpenAPI 3.1 document of the API',
  options: ['base-url'],
  examples: [['Write the document to a file', 'memory-gateway openapi > openapi.json']],
  run: async (args) => {
    // Programs that read a file have no address to resolve "/" against.
    const baseUrl = readBaseUrl(args.text('base-url')) || DEFAULT_ADDRESS;
    const document = await buildOpenApi(baseUrl);
    return { text: JSON.stringify(document, null, 2) };
  },
};
