// A program that adds, changes, moves and deletes memories `w…` until its input ends. Each line it prints has the number of writes so far, and the word that it had read before the latest write.

import type { Writer } from '../../../src/store/engine.ts';
import { engineOf } from '../../../src/store/engines.ts';
import { memory } from '../world/world.ts';

const [, , database = '', account = ''] = process.argv;

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const MINUTES = 4 * 7 * 24 * 60;
const COUNT = 60;
const LONG = 'x'.repeat(20_000);

const input = { isOver: false, word: '' };
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => (input.word = text.trim().split('\n').at(-1) ?? ''));
process.stdin.on('end', () => (input.isOver = true));

/**
 * Each version has its own time and text. Every field names the version, so a mix of two versions
 * is noticed.
 */
async function put(writer: Writer, n: number, version: number): Promise<void> {
  const minute = (n * 7919 + version * 104_729) % MINUTES;
  const is_processing = (n + version) % 3 === 0;
  const name = `version ${version}`;
  const given = {
    id: `w${n}`,
    name,
    started_at: new Date(START + minute * MINUTE).toISOString(),
    is_processing,
    summary: { quick_summary: is_processing ? '' : name, key_takeaways: [] },
    transcript: `steady ${name} ${n % 4 === 0 ? LONG : ''}`,
  };
  await writer.memories.put(account, memory(given));
}

async function writeSome(writer: Writer, round: number): Promise<void> {
  await put(writer, round % COUNT, round); // it is new, or has changed and moved
  await writer.memories.delete(account, `w${(round + 20) % COUNT}`);
  await put(writer, (round + 40) % COUNT, round);
}

await engineOf(database).withWriter(async (writer) => {
  for (let round = 0; !input.isOver; round++) {
    const { word } = input;
    if (round % 2 === 0) await writer.transaction(() => writeSome(writer, round));
    else await writeSome(writer, round);
    process.stdout.write(`${3 * (round + 1)} ${word}\n`);
    await new Promise((resolve) => setImmediate(resolve)); // so that input is read
  }
});
