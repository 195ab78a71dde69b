// openapi: prints the API as an OpenAPI document.

import { openApi } from '../gateway/description.ts';
import { none } from './accounts.ts';
import type { Command } from './command.ts';
import { readBaseUrl } from './values.ts';

/** Prints the OpenAPI document. */
export const openapiCommand: Command = {
  summary: 'print the API as an OpenAPI 3.1 document, in JSON',
  options: ['base-url'],
  run: async (args) => {
    none(args);
    const document = await openApi(readBaseUrl(args.text('base-url')));
    return { text: JSON.stringify(document, null, 2) };
  },
};
