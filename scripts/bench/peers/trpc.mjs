// tRPC on its standalone server. Its responses have an envelope.

import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { z } from 'zod';

import { accountOf, listening, memoriesOf, memoryOf } from './memories.mjs';

const t = initTRPC.create();

const withKey = t.procedure.use(({ ctx, next }) => {
  if (ctx.account === undefined) throw new TRPCError({ code: 'UNAUTHORIZED' });
  return next({ ctx: { account: ctx.account } });
});

const router = t.router({
  memory: withKey
    .input(z.object({ memory_id: z.string().min(1).max(128) }))
    .query(({ ctx, input }) => {
      const memory = memoryOf(ctx.account, input.memory_id);
      if (memory === undefined) throw new TRPCError({ code: 'NOT_FOUND' });
      return memory;
    }),
  memories: withKey
    .input(z.object({ limit: z.int().min(1).max(1000) }))
    .query(({ ctx, input }) => memoriesOf(ctx.account, input.limit)),
});

createHTTPServer({
  router,
  createContext: ({ req }) => ({ account: accountOf(req.headers.authorization) }),
}).listen(listening.port, listening.host);
