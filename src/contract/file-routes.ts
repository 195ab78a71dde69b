// The endpoints under `/v1` whose responses are files, and the list of all that HTTP serves there.

import * as v from 'valibot';

import { clientRoutes } from './client-routes.ts';
import { endpointsOf, type Endpoint } from './endpoints.ts';
import type { Contract, Route } from './route.ts';
import { routes } from './routes.ts';
import { MemoryId } from './schemas/memory.ts';

/** The endpoints under `/v1` whose responses are files. Only HTTP has recordings. */
export const fileRoutes = {
  memories: {
    original: {
      ...clientRoutes.memories.original,
      method: 'GET',
      auth: 'key',
      summary: 'Get what a memory was made from',
      input: v.strictObject({ memory_id: MemoryId }),
      failures: [401, 403, 404, 422, 500],
    },
    audio: {
      path: '/v1/memories/{memory_id}/audio',
      method: 'GET',
      auth: 'key',
      summary: 'Get the recording of a memory',
      input: v.strictObject({ memory_id: MemoryId }),
      output: v.instance(Uint8Array),
      isFile: true,
      hasRanges: true,
      failures: [401, 403, 404, 416, 422, 500],
    },
  },
} as const satisfies Contract;

/** Everything that HTTP serves under `/v1`. */
export const httpEndpoints: readonly Endpoint<Route>[] = [
  ...endpointsOf<Route>(routes),
  ...endpointsOf<Route>(fileRoutes),
];
