// Fastify with schemas for input and output, so that it compiles its serialiser.

import Fastify from 'fastify';

import { accountOf, listening, matchesOf, memoriesOf, memoryOf, passagesOf } from './memories.mjs';

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
const Passage = {
  type: 'object',
  required: ['id', 'name', 'started_at', 'text'],
  properties: { id: text, name: text, started_at: text, text },
};
const Limit = { type: 'integer', minimum: 1, maximum: 1000 };
const Words = { ...text, minLength: 1, maxLength: 1024 };
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
      properties: { limit: Limit, q: Words },
    },
    response: { 200: { type: 'array', items: Memory } },
  },
  search: {
    querystring: {
      type: 'object',
      required: ['limit', 'q'],
      properties: { limit: Limit, q: Words },
    },
    response: { 200: { type: 'array', items: Passage } },
  },
};

app.get('/v1/memories/:memory_id', { schema: schemas.one }, (request, reply) => {
  const memory = memoryOf(request.account, request.params.memory_id);
  if (memory) reply.send(memory);
  else reply.code(404).send({ detail: 'There is no such memory.' });
});
app.get('/v1/memories', { schema: schemas.list }, (request, reply) => {
  const { limit, q } = request.query;
  reply.send(
    q === undefined ? memoriesOf(request.account, limit) : matchesOf(request.account, q, limit),
  );
});
app.get('/v1/search', { schema: schemas.search }, (request, reply) => {
  reply.send(passagesOf(request.account, request.query.q, request.query.limit));
});

await app.listen(listening);
