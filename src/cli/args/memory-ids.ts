// The ids that a command takes: as arguments, or one a line from standard input.

import { text } from 'node:stream/consumers';

import * as v from 'valibot';

import { MemoryId } from '../../contract/schemas/memory.ts';
import type { Context } from '../context.ts';
import type { Args } from './args.ts';
import { UsageError } from './parse.ts';

type WithInput = Pick<Context, 'stdin'>;

/** Resolves with the ids, each once. `-` alone reads them from standard input, where no process list shows them. */
export async function readIds({ positionals }: Args, { stdin }: WithInput): Promise<string[]> {
  const isInput = positionals.length === 1 && positionals[0] === '-';
  const ids = isInput ? (await text(stdin.stream)).split(/\r?\n/).filter(Boolean) : positionals;
  return [...new Set(ids)];
}

/** Resolves with the ids of memories, each once, which `readIds` reads. */
export async function readMemoryIds(args: Args, context: WithInput): Promise<string[]> {
  const ids = await readIds(args, context);
  if (ids.length === 0) throw new UsageError('Give the ID of at least one memory.');
  for (const id of ids) {
    if (!v.is(MemoryId, id))
      throw new UsageError(`ID takes ${v.getDescription(MemoryId)}, not "${String(id)}".`);
  }
  return ids;
}
