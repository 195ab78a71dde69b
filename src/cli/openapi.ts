// openapi: prints the API as an OpenAPI document.

import { toOpenApi } from '../contract/openapi.ts';
import { readExamples } from '../gateway/examples.ts';
import { VERSION } from '../gateway/version.ts';
import { none } from './accounts.ts';
import type { Command } from './command.ts';
import { readBaseUrl } from './values.ts';

/** Prints the OpenAPI document. */
export const openapiCommand: Command = {
  summary: 'print the API as an OpenAPI 3.1 document, in JSON',
  options: ['base-url'],
  run: (args) => {
    none(args);
    const baseUrl = readBaseUrl(args.text('base-url'));
    const document = toOpenApi({ version: VERSION, baseUrl, examples: readExamples() });
    return { text: JSON.stringify(document, null, 2) };
  },
};
