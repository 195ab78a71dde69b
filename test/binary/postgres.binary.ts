// The executable with PostgreSQL, also over TLS: it includes the driver and needs nothing else.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Client } from 'pg';

import { hasPostgres, startPrimary, type Server } from '../support/engines/postgres-cluster.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { ROOT, runProcess, startProcess, stop, waitFor } from '../support/world/program.ts';

const missing = !hasPostgres && 'PostgreSQL 15 is not on this machine; install postgresql-15';

describe('The executable with PostgreSQL', { skip: missing }, () => {
  let server: Server;
  let home: string;
  const env = () => ({ MEMORY_GATEWAY_DATABASE: server.address('memories') });

  before(async () => {
    home = newFolder();
    chmodSync(join(home, '../..'), 0o755);
    chmodSync(join(home, '..'), 0o755);
    chmodSync(home, 0o755);
    server = await startPrimary(join(home, 'primary'));
    const client = new Client(server.address('postgres'));
    await client.connect();
    await client.query('CREATE DATABASE memories');
    await client.end();
  });
  after(() => server?.stop('immediate'));

  it('creates the schema, imports memories, serves and exports them', async () => {
    for (const words of [['migrate'], ['accounts', 'create', 'Mira', '--id', 'mira']])
      assert.equal((await runProcess(words, { env: env() })).code, 0);
    const week = join(ROOT, 'fixtures/formats/limitless/week.json');
    assert.equal((await runProcess(['import', week], { env: env() })).code, 0);
    const { stdout: key } = await runProcess(['keys', 'create', '--account', 'mira'], {
      env: env(),
    });
    const child = startProcess(['serve', '--port', '0'], { env: env() });
    const [, url] = /"url":"([^"]+)"/.exec(await waitFor(child, 'stdout', /listening/)) ?? [];
    const headers = { authorization: `Bearer ${issued(key.trim())}` };
    const answer = await fetch(`${url}/v1/memories`, { headers });
    const list = (await answer.json()) as unknown[];
    assert.equal(answer.status, 200);
    assert.ok(list.length > 0);
    assert.equal(await stop(child), 0);
    const { stdout: exported } = await runProcess(['export', '--format', 'json'], { env: env() });
    assert.deepEqual(
      new Set((JSON.parse(exported) as unknown[]).map((each) => JSON.stringify(each))),
      new Set(list.map((each) => JSON.stringify(each))),
    );
    assert.equal((await runProcess(['verify'], { env: env() })).code, 0);
  });

  it('trusts a server with a valid certificate', async () => {
    const [certificate, key] = ['server.crt', 'server.key'].map((name) => join(home, name));
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-keyout', String(key), '-out', String(certificate)];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files];
    execFileSync('openssl', made, { stdio: 'ignore' });
    const { uid, gid } = statSync(server.folder);
    for (const file of [certificate, key]) chownSync(String(file), uid, gid);
    const client = new Client(server.address('postgres'));
    await client.connect();
    await client.query(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`);
    await client.query(`ALTER SYSTEM SET ssl_key_file = '${key}'`);
    await client.query('ALTER SYSTEM SET ssl = on');
    await client.query('SELECT pg_reload_conf()');
    await client.end();
    const database = `${server.address('memories')}?sslmode=verify-full`;
    const list = (address: string) => runProcess(['accounts', 'list', '--database', address]);
    assert.equal((await list(`${database}&sslrootcert=${certificate}`)).code, 0);
    const unknown = await list(database);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /^memory-gateway: [^\n]*certificate[^\n]*\n$/);
  });
});
