// The baseline of a sign-in: a bare node:http handler that hashes a password at the cost of src/app/server/sign-in/password.ts.

const { scrypt } = require('node:crypto');
const { createServer } = require('node:http');

const settings = require('./settings.cjs');

const [, , port] = process.argv;
const COST = { N: 32_768, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };

createServer(settings, (request, response) => {
  request.resume().once('end', () => {
    scrypt('a password', 'sixteen bytes it', 32, COST, () => response.writeHead(204).end());
  });
}).listen(Number(port), '127.0.0.1');
