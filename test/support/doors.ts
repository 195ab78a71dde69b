// The doors of the gateway in one table: a promise about results runs through each of them.
import * as v from 'valibot';

import type { Api } from '../../src/contract/api.ts';
import { Failure } from '../../src/contract/failure.ts';
import { Memory } from '../../src/contract/memory.ts';
import { send, type WireAnswer } from './wire.ts';
import type { World } from './world.ts';

export interface Door {
  readonly name: string;
  /** The API as the holder of a key sees it. */
  open(world: World, key: string): Api;
}

export const doors: readonly Door[] = [
  {
    name: 'the wire',
    open: ({ port }, key) => ({
      memories: {
        async list(input) {
          const query = new URLSearchParams(
            Object.entries(input).map(([name, value]) => [name, String(value)]),
          );
          const answer = await send(port, { path: `/v1/memories?${query.toString()}`, key });
          return v.parse(v.array(Memory), read(answer));
        },
        async get({ memory_id }) {
          const path = `/v1/memories/${encodeURIComponent(memory_id)}`;
          return v.parse(Memory, read(await send(port, { path, key })));
        },
      },
    }),
  },
];

function read({ status, text }: WireAnswer): unknown {
  const body: unknown = JSON.parse(text);
  if (status === 200) return body;
  throw new Failure(status, v.parse(v.object({ detail: v.string() }), body).detail);
}
