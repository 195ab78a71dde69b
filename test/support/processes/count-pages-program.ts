// A program that counts the database pages that one list reads on a new connection.

import { readFileSync } from 'node:fs';

import { createGateway } from '../../../src/gateway/gateway.ts';
import { openStore } from '../../../src/store/sqlite/store.ts';

const PAGE_BYTES = 4096;

const [, , database = '', query = ''] = process.argv;
const gateway = createGateway(openStore(database));
const asked = Object.fromEntries(new URLSearchParams(query));
const input = {
  ...('limit' in asked && { limit: Number(asked['limit']) }),
  ...('fields' in asked && { fields: asked['fields']?.split(',') as 'id'[] }),
};

/** Returns how many bytes this process has read in total. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

// Lists an account without memories first, so that only the reads of memories count.
await gateway.as('bo').memories.list(input);
const before = bytesRead();
const memories = await gateway.as('ana').memories.list(input);
const pages = Math.round((bytesRead() - before) / PAGE_BYTES);
console.log(JSON.stringify({ memories: memories.length, pages }));
await gateway.close();
