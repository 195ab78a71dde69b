// A program that makes one call of the client and ends.

import { createClient } from '../../../src/client/index.ts';

const [, , , baseUrl = ''] = process.argv;
const api = createClient({ baseUrl, apiKey: 'mem_any', timeoutMs: 60_000 });
console.log(`${(await api.memories.list()).length} memories`);
