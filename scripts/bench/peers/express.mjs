// Express with its defaults, which include an etag for every body.

import express from 'express';

import { accountOf, listening, memoriesOf, memoryOf } from './memories.mjs';

const app = express().disable('x-powered-by');

app.use((request, response, next) => {
  const account = accountOf(request.headers.authorization);
  if (account === undefined) return response.status(401).json({ detail: 'Invalid API key.' });
  response.locals.account = account;
  return next();
});

app.get('/v1/memories/:memory_id', (request, response) => {
  const memory = memoryOf(response.locals.account, request.params.memory_id);
  if (memory) response.json(memory);
  else response.status(404).json({ detail: 'There is no such memory.' });
});
app.get('/v1/memories', (request, response) => {
  const limit = Number(request.query.limit);
  if (limit >= 1 && limit <= 1000) response.json(memoriesOf(response.locals.account, limit));
  else response.status(422).json({ detail: 'Give a limit.' });
});

app.listen(listening.port, listening.host);
