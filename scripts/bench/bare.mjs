// The floor as an ES module, which takes longer to start: only that is measured of it.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** What is sent: as in bare.cjs. */
const [, , port, path] = process.argv;
const { status, head, body } = JSON.parse(readFileSync(path, 'utf8'));
const bytes = Buffer.from(body, 'base64');

createServer((_, response) => response.writeHead(status, head).end(bytes)).listen(
  Number(port),
  '127.0.0.1',
);
