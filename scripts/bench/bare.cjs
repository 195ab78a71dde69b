// The baseline: a bare node:http handler that sends a given response, without a key or a database.

// `require` is used, because importing names from node:http in an ES module makes Node load its
// WebSocket and fetch, too.
const { createReadStream, readFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { pipeline } = require('node:stream');

const settings = require('./settings.cjs');

/** The response: `body` is base64, and a `file` is piped instead. */
const [, , port, path] = process.argv;
const { status, head, body, file, variant } = JSON.parse(readFileSync(path, 'utf8'));

const bytes = Buffer.from(body, 'base64');

/** The ways to send the same bytes. The benchmark uses the cheapest. */
const variants = {
  'Buffer, flat headers': (response) => response.writeHead(status, head).end(bytes),
  'latin1 string, flat headers': (response) =>
    response.writeHead(status, head).end(latin1, 'latin1'),
  'UTF-8 string, flat headers': (response) => response.writeHead(status, head).end(utf8),
  'Buffer, header object': (response) => response.writeHead(status, named).end(bytes),
};
const latin1 = bytes.toString('latin1');
const utf8 = bytes.toString('utf8');
const named = Object.fromEntries(
  Array.from({ length: head.length / 2 }, (_, i) => [head[2 * i], head[2 * i + 1]]),
);

const pipe = (response, { url }) => {
  if (url === '/healthz') return response.end();
  response.writeHead(status, head);
  return pipeline(createReadStream(file), response, () => {});
};
const send = file ? pipe : variants[variant];

createServer(settings, (request, response) => send(response, request)).listen(
  Number(port),
  '127.0.0.1',
);
