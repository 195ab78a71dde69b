// Types of the doors: each is an Api, so a program swaps one for another without a change.

import { createServer } from 'node:http';

import { createClient } from '../../src/client/index.ts';
import type { Api } from '../../src/contract/api.ts';
import { openGateway } from '../../src/index.ts';

const gateway = openGateway({ database: 'file' });
createServer(gateway.listener);
export const response: Promise<Response> = gateway.fetch(new Request('http://host'));
export const doors: Api[] = [
  gateway.as('ana'),
  createClient({ baseUrl: 'http://host', apiKey: 'key', fetch: gateway.fetch }),
];
// @ts-expect-error: a gateway needs a file
openGateway({ baseUrl: '/a' });
// @ts-expect-error: no such option
openGateway({ database: 'file', prefix: '/a' });
// @ts-expect-error: the account is named by its id
gateway.as({ id: 'ana' });
