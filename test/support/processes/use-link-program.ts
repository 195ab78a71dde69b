// A program that uses sign-in links as soon as it reads them, ten times each, and prints how many attempts succeeded.

import { createInterface } from 'node:readline';

import { engineOf } from '../../../src/store/engines.ts';

const [, , database = ''] = process.argv;
const app = await engineOf(database).openApp();
console.log('ready');
for await (const secret of createInterface({ input: process.stdin })) {
  const used = await Promise.all(Array.from({ length: 10 }, async () => app.links.use(secret)));
  console.log(used.filter((account) => account !== undefined).length);
}
await app.close();
