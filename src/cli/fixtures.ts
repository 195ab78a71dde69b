// The demo's accounts and memories, from fixtures/.

import * as v from 'valibot';

import { Memory } from '../contract/memory.ts';
import { readOwn } from '../files.ts';
import type { NewMemory } from '../store/ready.ts';

const FOLDER = new URL('../../fixtures/', import.meta.url);

const Accounts = v.array(v.object({ id: v.string(), name: v.string() }));

/** An account and the memories it is to have; `memories` makes each only when it is asked for. */
export interface SeedAccount {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  /** Closed to its keys. */
  readonly isClosed?: boolean;
  readonly memories: Iterable<NewMemory>;
}

/** Reads the accounts of fixtures/, each with all its memories. */
export function readFixtures(): SeedAccount[] {
  return v.parse(Accounts, readJson('accounts.json')).map(({ id, name }) => {
    const memories = v.parse(v.array(Memory), readJson(`memories/${id}.json`));
    return { id, name, count: memories.length, memories };
  });
}

function readJson(name: string): unknown {
  return JSON.parse(readOwn(new URL(name, FOLDER)).toString());
}
