// An export to import: generated memories as files of the API of Limitless.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { NewMemory } from '../../src/store/import/memory-row.ts';
import { speakerOf } from '../../src/text/speaker.ts';
import { generate } from '../generate.ts';

const PER_FILE = 2000;

/** Writes memories of 4 kB as the API of Limitless has them, which keeps originals and times. Returns the folder. */
export function writeLifelogs(folder: string, memories: number): string {
  const into = join(folder, 'lifelogs');
  mkdirSync(into, { recursive: true });
  const [account] = generate({ accounts: 1, memories, size: 4000, random: 1 });
  let lifelogs: object[] = [];
  let count = 0;
  for (const memory of account?.memories ?? []) {
    lifelogs.push(lifelogOf(memory));
    count += 1;
    if (lifelogs.length < PER_FILE && count < memories) continue;
    writeFileSync(join(into, `${count}.json`), JSON.stringify({ data: { lifelogs } }));
    lifelogs = [];
  }
  return into;
}

function lifelogOf({ id, name, started_at, ended_at, transcript }: NewMemory): object {
  const contents = transcript.split('\n').map((line, at) => {
    const speakerName = speakerOf(line) ?? null;
    const content = line.slice(speakerName === null ? 0 : speakerName.length + 2);
    const offsets = { startOffsetMs: at * 4000, endOffsetMs: at * 4000 + 3900 };
    return { type: 'blockquote', content, ...offsets, speakerName, children: [] };
  });
  return { id, title: name, startTime: started_at, endTime: ended_at, contents };
}
