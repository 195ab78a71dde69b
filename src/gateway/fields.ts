// Fields: a memory cut to those that were asked for, in the order of the contract.

import { fromJson, toJson, type Json, type JsonText } from '../contract/json.ts';
import { Memory, type MemoryField } from '../contract/memory.ts';
import type { Bytes } from '../store/store.ts';

/** What is wanted of a memory: the bytes to read, and how they are cut down to it. */
export interface Cut {
  /** Tells this cut from others; `''` for a memory that is whole. */
  readonly name: string;
  readonly bytes: Bytes;
  /** Whether those bytes are what is wanted, and `cut` gives them back as they are. */
  readonly isAsStored: boolean;
  readonly cut: <T extends Given>(json: T) => T | Json<Partial<Memory>>;
}

type Given = Json<Partial<Memory>> | JsonText<Partial<Memory>>;

const ALL = Object.keys(Memory.entries) as MemoryField[];
const asItIs = <T>(json: T): T => json;

/** Puts fields in the order of the contract, with the id; undefined where they are all. */
export function inOrder(fields: readonly MemoryField[] = ALL): MemoryField[] | undefined {
  const wanted = ALL.filter((name) => name === 'id' || fields.includes(name));
  return wanted.length === ALL.length ? undefined : wanted;
}

/** Finds the cut for fields: none without them, and none where the bytes that are kept are what is asked for. */
export function cutTo(fields?: readonly MemoryField[]): Cut {
  const wanted = inOrder(fields) ?? ALL;
  const bytes = wanted.includes('transcript') ? 'body' : 'slim';
  const name = wanted.length === ALL.length ? '' : wanted.join();
  const isAsStored = wanted.length === ALL.length - (bytes === 'slim' ? 1 : 0);
  const cut = isAsStored ? asItIs : (json: Given) => toJson(pick(fromJson(json), wanted));
  return { name, bytes, isAsStored, cut };
}

function pick(memory: Partial<Memory>, wanted: readonly MemoryField[]): Partial<Memory> {
  return Object.fromEntries(wanted.map((name) => [name, memory[name]]));
}
