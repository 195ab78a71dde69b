// TLS and passwords for PostgreSQL: a server with its own certificate that refuses connections without TLS and password.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdtempSync,
  rmSync,
  statSync,
  chownSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Client } from 'pg';

import { onlyPostgres } from '../support/engines/engine.ts';
import { startPrimary, type Server } from '../support/engines/postgres-cluster.ts';
import { runProcess } from '../support/world/program.ts';

const PASSWORD = 'a word, with: marks';

describe('A PostgreSQL server that demands TLS', { skip: onlyPostgres }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-tls-'));
  const data = mkdtempSync(join(tmpdir(), 'memory-gateway-tls-data-')); // of another user
  let server: Server;

  before(async () => {
    const root = makeRoot('root');
    makeRoot('other');
    makeCertificate('server', root);
    server = await startPrimary(join(data, 'primary'));
    const admin = new Client(server.address('postgres'));
    await admin.connect();
    await admin.query("SET password_encryption = 'scram-sha-256'");
    await admin.query(`ALTER ROLE postgres PASSWORD '${PASSWORD}'`);
    await admin.end();
    await server.stop();
    const { uid, gid } = statSync(server.folder);
    for (const name of ['server.crt', 'server.key']) {
      const target = join(server.folder, name);
      copyFileSync(join(folder, name), target);
      chmodSync(target, 0o600);
      chownSync(target, uid, gid);
    }
    appendFileSync(join(server.folder, 'postgresql.auto.conf'), 'ssl = on\n');
    writeFileSync(
      join(server.folder, 'pg_hba.conf'),
      'hostssl all all 127.0.0.1/32 scram-sha-256\n',
    );
    await server.start();
  });

  after(async () => {
    await server?.stop('immediate');
    rmSync(folder, { recursive: true });
    rmSync(data, { recursive: true });
  });

  it('is reached with its root certificate, its name and a password', async () => {
    const { code, stderr } = await migrate({ sslmode: 'verify-full', sslrootcert: 'root.crt' });
    assert.equal(code, 0, stderr);
  });

  it('is reached with a password from ~/.pgpass', async () => {
    const pgpass = join(folder, 'pgpass');
    const escaped = PASSWORD.replaceAll(':', '\\:');
    writeFileSync(pgpass, `localhost:${server.port}:postgres:postgres:${escaped}\n`, {
      mode: 0o600,
    });
    const found = await migrate(
      { sslmode: 'verify-full', sslrootcert: 'root.crt' },
      { PGPASSFILE: pgpass },
    );
    assert.equal(found.code, 0, found.stderr);
  });

  for (const sslmode of ['verify-full', 'require', 'prefer', 'verify-ca']) {
    it(`is refused if its certificate has another root (sslmode=${sslmode})`, async () => {
      for (const sslrootcert of ['other.crt', undefined]) {
        const { code, stderr } = await migrate({ sslmode, sslrootcert });
        assert.equal(code, 1, stderr);
        assert.match(
          stderr,
          /has a certificate that is not trusted; pass its authority as sslrootcert/,
        );
      }
    });
  }

  it('is refused if its certificate has another name', async () => {
    const { code, stderr } = await migrate({
      host: '127.0.0.1',
      sslmode: 'verify-full',
      sslrootcert: 'root.crt',
    });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /has a certificate for another host name; use that name in the address/);
  });

  it('is reached by sslmode=no-verify, without a check of its identity', async () => {
    const { code, stderr } = await migrate({ sslmode: 'no-verify' });
    assert.equal(code, 0, stderr);
  });

  it('refuses connections without TLS, or without the right password, and the error says how to fix it', async () => {
    const plain = await migrate({});
    assert.equal(plain.code, 1);
    assert.match(plain.stderr, /sslmode/);
    const right = { sslmode: 'verify-full', sslrootcert: 'root.crt' };
    const wrong = await migrate(right, { PGPASSWORD: 'wrong' });
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /PGPASSWORD/);
    assert.ok(!wrong.stderr.includes('wrong'), 'no password is shown');
    const none = await migrate(right, { PGPASSFILE: join(folder, 'nowhere') });
    assert.equal(none.code, 1);
    assert.match(none.stderr, /needs a password; set PGPASSWORD or use ~\/\.pgpass/);
  });

  function migrate(
    {
      host = 'localhost',
      ...given
    }: { host?: string; sslmode?: string; sslrootcert?: string | undefined },
    env: Record<string, string> = { PGPASSWORD: PASSWORD },
  ) {
    const address = new URL(`postgres://postgres@${host}:${server.port}/postgres`);
    if (given.sslmode) address.searchParams.set('sslmode', given.sslmode);
    if (given.sslrootcert) address.searchParams.set('sslrootcert', join(folder, given.sslrootcert));
    return runProcess(['migrate', '--database', address.href], { env });
  }

  function makeRoot(name: string): string {
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      file(`${name}.key`),
      '-out',
      file(`${name}.crt`),
    );
    return name;
  }

  function makeCertificate(name: string, root: string): void {
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=localhost',
      '-keyout',
      file(`${name}.key`),
      '-out',
      file(`${name}.csr`),
    );
    writeFileSync(file('names'), 'subjectAltName = DNS:localhost\n');
    openssl(
      'x509',
      '-req',
      '-days',
      '2',
      '-in',
      file(`${name}.csr`),
      '-CA',
      file(`${root}.crt`),
      '-CAkey',
      file(`${root}.key`),
      '-CAcreateserial',
      '-extfile',
      file('names'),
      '-out',
      file(`${name}.crt`),
    );
  }

  function file(name: string): string {
    return join(folder, name);
  }
});

function openssl(...words: string[]): void {
  execFileSync('openssl', words, { stdio: 'ignore' });
}
