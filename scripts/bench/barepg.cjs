// The baseline on PostgreSQL: a bare node:http handler that runs given statements with pg alone, and checks nothing.

const { readFileSync } = require('node:fs');
const { createServer } = require('node:http');

const pg = require('pg');

const settings = require('./settings.cjs');

/** The statements, each with its name. The response has at most `most` memories of the last one. */
const [, , port, path] = process.argv;
const { address, connections, statements, most, isPage, head } = JSON.parse(
  readFileSync(path, 'utf8'),
);

const pool = new pg.Pool({ connectionString: address, max: connections });

async function read() {
  let rows = [];
  for (const statement of statements) ({ rows } = await pool.query(statement));
  const texts = rows.slice(0, most).map(({ text }) => text);
  return isPage ? `[${texts.join(',')}]` : texts[0];
}

function send(_, response) {
  read().then(
    (body) => response.writeHead(200, head).end(body),
    (error) => response.writeHead(500).end(String(error)),
  );
}

createServer(settings, send).listen(Number(port), '127.0.0.1');
