// The package with a PostgreSQL server: its program includes the driver, and its library uses the installed driver.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

import { hasPostgres, startPrimary } from '../../support/engines/postgres-cluster.ts';
import { install, makeDatabase, manifest, nodes, project, run, serve, tarball } from './install.ts';

const READ = `
import { connectGateway } from 'memory-gateway';
const [, , database, account] = process.argv;
try {
  const gateway = await connectGateway({ database });
  console.log(JSON.stringify(await gateway.as(account).memories.list()));
  await gateway.close();
} catch (error) {
  console.log(error.message);
}
`;

const missing = !hasPostgres && 'PostgreSQL 15 is not on this machine; install postgresql-15';

describe('With PostgreSQL', { skip: missing }, async () => {
  if (missing) return;
  const home = mkdtempSync(join(tmpdir(), 'memory-gateway-server-'));
  const server = await startPrimary(join(home, 'primary'));
  after(async () => {
    await server.stop('immediate');
    rmSync(home, { recursive: true });
  });

  for (const [name, node] of Object.entries(nodes)) {
    it(`the program creates a database and serves it on the ${name} Node, without further packages`, async () => {
      await run(node, ['-e', CREATE, server.address('postgres'), name], { cwd: await withDriver });
      const database = server.address(name);
      const { account, key } = await makeDatabase(node, database);
      const { child, url } = await serve(node, database);
      const answer = await fetch(`${url}/v1/memories`, { headers: { 'x-api-key': key } });
      assert.deepEqual([answer.status, await answer.text()], [200, '[]']);
      child.kill('SIGTERM');
      assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0);

      writeFileSync(join(project, 'connect.js'), READ);
      const without = await run(node, ['connect.js', database, account], { cwd: project });
      assert.match(without, /install it with: npm install pg$/m);
      writeFileSync(join(await withDriver, 'connect.js'), READ);
      const list = await run(node, ['connect.js', database, account], { cwd: await withDriver });
      assert.equal(list.trim(), '[]');
    });
  }
});

/** A project with the driver. */
const withDriver = install('with-driver', tarball, `pg@${manifest.devDependencies.pg}`);

const CREATE = `
const { Client } = require('pg');
const [, address, name] = process.argv;
const client = new Client(address);
client.connect().then(() => client.query('CREATE DATABASE ' + name)).then(() => client.end());
`;
