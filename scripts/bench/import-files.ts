// The files to import: the same memories as JSON Lines, and as tab-separated columns for `sqlite3`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { generate } from '../generate.ts';

/** The account that receives the memories. */
export const ACCOUNT = 'bench';

/** The files. Columns are separated by tabs, which JSON never contains. */
export interface Incoming {
  readonly lines: string;
  /** Id and JSON. */
  readonly plain: string;
}

const SIZE = 4000;

/** Writes this many memories of 4 kB into a folder, in each format. */
export function writeIncoming(folder: string, memories: number): Incoming {
  const [account] = generate({ accounts: 1, memories, size: SIZE, random: 1 });
  const texts = Array.from(account?.memories ?? [], (memory) => {
    const { id, body } = prepareMemory(ACCOUNT, memory).row;
    return { id, body: Buffer.from(body).toString() };
  });
  const write = (name: string, lines: readonly string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  return {
    lines: write(
      'import.new.jsonl',
      texts.map(({ body }) => body),
    ),
    plain: write(
      'import.new.plain',
      texts.map(({ id, body }) => `${id}\t${body}`),
    ),
  };
}
