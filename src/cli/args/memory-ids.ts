// The ids of memories that a command takes: as arguments, or one a line from standard input.

import { text } from 'node:stream/consumers';

import * as v from 'valibot';

import { MemoryId } from '../../contract/schemas/memory.ts';
import type { Context } from '../context.ts';
import type { Args } from './args.ts';
import { UsageError } from './parse.ts';

/** Resolves with the ids, each once. `-` alone reads them from standard input, where no process list shows them. */
export async function readMemoryIds(
  { positionals }: Args,
  { stdin }: Pick<Context, 'stdin'>,
): Promise<string[]> {
  const isInput = positionals.length === 1 && positionals[0] === '-';
  const ids = isInput ? (await text(stdin.stream)).split('\n').filter(Boolean) : positionals;
  if (ids.length === 0) throw new UsageError('Give the ID of at least one memory.');
  for (const id of ids) {
    if (!v.is(MemoryId, id))
      throw new UsageError(`ID takes ${v.getDescription(MemoryId)}, not "${String(id)}".`);
  }
  return [...new Set(ids)];
}
