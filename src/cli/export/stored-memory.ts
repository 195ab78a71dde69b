// Reads a stored memory for an export that writes something else than its bytes.

import * as v from 'valibot';

import { Memory } from '../../contract/schemas/memory.ts';
import { Refusal } from '../../store/refusal.ts';
import type { EncodedEntry } from '../../store/store.ts';

const Stored = v.pipe(v.string(), v.parseJson(), Memory);

/** Reads a stored memory. Throws `Refusal` if somebody has edited it so that it breaks the schema. */
export function readMemory({ id, bytes }: EncodedEntry): Memory {
  const read = v.safeParse(Stored, Buffer.from(bytes).toString());
  if (read.success) return read.output;
  throw new Refusal(`Memory ${id} does not match the schema of a memory; restore a backup.`);
}
