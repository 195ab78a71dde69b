// The files to import: the same memories as JSON Lines, and as tab-separated columns for `sqlite3`.

import { closeSync, openSync, writeSync } from 'node:fs';
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

const decoder = new TextDecoder();
const SIZE = 4000;
const PART = 1e6; // written in one go

/** Writes this many memories of 4 kB into a folder, in each format. */
export function writeIncoming(folder: string, memories: number): Incoming {
  const lines = open(join(folder, 'import.new.jsonl'));
  const plain = open(join(folder, 'import.new.plain'));
  const [account] = generate({ accounts: 1, memories, size: SIZE, random: 1 });
  for (const memory of account?.memories ?? []) {
    const { row } = prepareMemory(ACCOUNT, memory);
    const body = decoder.decode(row.body);
    lines.write(body);
    plain.write(`${row.id}\t${body}`);
  }
  return { lines: lines.end(), plain: plain.end() };
}

function open(path: string) {
  const file = openSync(path, 'w', 0o600);
  let part = '';
  const flush = () => {
    writeSync(file, part);
    part = '';
  };
  return {
    write(line: string): void {
      part += `${line}\n`;
      if (part.length > PART) flush();
    },
    end(): string {
      flush();
      closeSync(file);
      return path;
    },
  };
}
