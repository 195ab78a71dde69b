// The baseline as an ES module, which takes longer to start. Only its start is measured.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** The response, as in bare.cjs. */
const [, , port, path] = process.argv;
const { status, head, body } = JSON.parse(readFileSync(path, 'utf8'));
const bytes = Buffer.from(body, 'base64');

createServer((_, response) => response.writeHead(status, head).end(bytes)).listen(
  Number(port),
  '127.0.0.1',
);
