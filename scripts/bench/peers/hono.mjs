// Hono on its server for Node.

import { serve } from '@hono/node-server';
import { Hono } from 'hono';

import { accountOf, listening, memoriesOf, memoryOf } from './memories.mjs';

const app = new Hono();

app.use('/v1/*', async (context, next) => {
  const account = accountOf(context.req.header('authorization'));
  if (account === undefined) return context.json({ detail: 'Invalid API key.' }, 401);
  context.set('account', account);
  return next();
});

app.get('/v1/memories/:memory_id', (context) => {
  const memory = memoryOf(context.get('account'), context.req.param('memory_id'));
  return memory ? context.json(memory) : context.json({ detail: 'There is no such memory.' }, 404);
});
app.get('/v1/memories', (context) => {
  const limit = Number(context.req.query('limit'));
  if (!(limit >= 1 && limit <= 1000)) return context.json({ detail: 'Give a limit.' }, 422);
  return context.json(memoriesOf(context.get('account'), limit));
});

serve({ fetch: app.fetch, ...listening });
