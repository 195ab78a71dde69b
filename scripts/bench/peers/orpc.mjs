// oRPC with its OpenAPI handler, on node:http.

import { createServer } from 'node:http';

import { OpenAPIHandler } from '@orpc/openapi/node';
import { ORPCError, os } from '@orpc/server';
import { z } from 'zod';

import { accountOf, listening, memoriesOf, memoryOf } from './memories.mjs';

const withKey = os.$context().use(({ context, next }) => {
  const account = accountOf(context.headers.authorization);
  if (account === undefined) throw new ORPCError('UNAUTHORIZED');
  return next({ context: { account } });
});

const router = {
  one: withKey
    .route({ method: 'GET', path: '/v1/memories/{memory_id}' })
    .input(z.object({ memory_id: z.string().min(1).max(128) }))
    .handler(({ context, input }) => {
      const memory = memoryOf(context.account, input.memory_id);
      if (memory === undefined) throw new ORPCError('NOT_FOUND');
      return memory;
    }),
  list: withKey
    .route({ method: 'GET', path: '/v1/memories' })
    .input(z.object({ limit: z.coerce.number().int().min(1).max(1000) }))
    .handler(({ context, input }) => memoriesOf(context.account, input.limit)),
};

const handler = new OpenAPIHandler(router);

async function answer(request, response) {
  const context = { headers: request.headers };
  const { matched } = await handler.handle(request, response, { context });
  if (!matched) response.writeHead(404).end();
}

createServer((request, response) => void answer(request, response)).listen(
  listening.port,
  listening.host,
);
