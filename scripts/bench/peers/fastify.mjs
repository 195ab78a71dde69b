// Fastify with schemas for input and output, so that it compiles its serialiser.

import Fastify from 'fastify';

import { accountOf, listening, memoriesOf, memoryOf } from './memories.mjs';

const text = { type: 'string' };
const Memory = {
  type: 'object',
  required: ['id', 'name', 'started_at', 'ended_at', 'is_processing', 'user_id', 'transcript'],
  properties: {
    id: text,
    name: text,
    started_at: text,
    ended_at: text,
    is_processing: { type: 'boolean' },
    user_id: text,
    duration_seconds: { type: 'integer' },
    summary: {
      type: 'object',
      properties: { quick_summary: text, key_takeaways: { type: 'array', items: text } },
    },
    transcript: text,
  },
};
const Failure = { type: 'object', properties: { detail: text } };

const app = Fastify();

app.decorateRequest('account', '');
app.addHook('onRequest', (request, reply, done) => {
  request.account = accountOf(request.headers.authorization);
  if (request.account === undefined) reply.code(401).send({ detail: 'Invalid API key.' });
  else done();
});

const schemas = {
  one: {
    params: { type: 'object', properties: { memory_id: { ...text, maxLength: 128 } } },
    response: { 200: Memory, 404: Failure },
  },
  list: {
    querystring: {
      type: 'object',
      required: ['limit'],
      properties: { limit: { type: 'integer', minimum: 1, maximum: 1000 } },
    },
    response: { 200: { type: 'array', items: Memory } },
  },
};

app.get('/v1/memories/:memory_id', { schema: schemas.one }, (request, reply) => {
  const memory = memoryOf(request.account, request.params.memory_id);
  if (memory) reply.send(memory);
  else reply.code(404).send({ detail: 'There is no such memory.' });
});
app.get('/v1/memories', { schema: schemas.list }, (request, reply) => {
  reply.send(memoriesOf(request.account, request.query.limit));
});

await app.listen(listening);
