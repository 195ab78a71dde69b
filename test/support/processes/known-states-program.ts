// A program that takes a database from one known state to the next, each in one transaction, until its input ends.
// State k: a memory `state` named k, the memories n(k-9) to n(k), and the keys labelled k-2 to k not revoked.
// It prints k when that state is committed.

import { openWriter } from '../../../src/store/sqlite/writer.ts';
import { memory } from '../world/world.ts';

const [, , database = '', account_id = ''] = process.argv;
const MEMORIES = 10;
const KEYS = 3;

const writer = openWriter(database);
const input = { isOver: false };
process.stdin.resume();
process.stdin.on('end', () => (input.isOver = true));

for (let k = 1; !input.isOver; k++) {
  writer.transaction(() => {
    const text = { name: String(k), transcript: `Told of state ${k}. ${'x '.repeat(k % 500)}` };
    writer.memories.put(account_id, memory({ id: 'state', ...text }));
    writer.memories.put(account_id, memory({ id: `n${k}`, ...text }));
    writer.memories.delete(account_id, `n${k - MEMORIES}`);
    writer.keys.create({ account_id, label: String(k), expires_at: null });
    for (const key of writer.keys.list(account_id)) {
      if (key.revoked_at === null && Number(key.label) <= k - KEYS) writer.keys.revoke(key.id);
    }
  });
  process.stdout.write(`${k}\n`);
  await new Promise((resolve) => setImmediate(resolve)); // so that input is read
}
writer.close();
