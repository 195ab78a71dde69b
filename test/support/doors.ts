// The doors of the gateway in one table: a promise about results runs through each of them.

import * as v from 'valibot';

import type { Api } from '../../src/contract/api.ts';
import { Failure } from '../../src/contract/failure.ts';
import { Memory } from '../../src/contract/memory.ts';
import type { SyncStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { send, type WireAnswer } from './wire.ts';
import type { World } from './world.ts';

export interface Door {
  readonly name: string;
  /** Stands between the gateway and its store. */
  readonly wrap: (store: SyncStore) => Store;
  /** The API as the holder of a key sees it. */
  readonly open: (world: World, key: string) => Api;
}

export const doors: readonly Door[] = [
  { name: 'the wire', wrap: (store) => store, open: openWire },
  { name: 'the wire, over a store that answers later', wrap: answerLater, open: openWire },
];

function openWire({ port }: World, key: string): Api {
  return {
    memories: {
      async list(input) {
        const pairs = Object.entries(input).map(([name, value]) => [name, String(value)]);
        const path = `/v1/memories?${new URLSearchParams(pairs).toString()}`;
        return v.parse(v.array(Memory), read(await send(port, { path, key })));
      },
      async get({ memory_id }) {
        const path = `/v1/memories/${encodeURIComponent(memory_id)}`;
        return v.parse(Memory, read(await send(port, { path, key })));
      },
    },
  };
}

/** The same store with promises, as an engine on a network has. */
export function answerLater(store: SyncStore): Store {
  return {
    apiKey: async (...args) => store.apiKey(...args),
    memory: async (...args) => store.memory(...args),
    items: async (...args) => store.items(...args),
    positions: async (...args) => store.positions(...args),
    check: async () => store.check(),
    close: async () => store.close(),
  };
}

function read({ status, text }: WireAnswer): unknown {
  const body: unknown = JSON.parse(text);
  if (status === 200) return body;
  throw new Failure(status, v.parse(v.object({ detail: v.string() }), body).detail);
}
