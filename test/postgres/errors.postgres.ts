// Errors of PostgreSQL: each becomes one sentence for the operator, with the fix and without a secret.

import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';

import { engineOf } from '../../src/store/engines.ts';
import { isConnectionLost } from '../../src/store/postgres/errors.ts';
import { connect } from '../../src/store/postgres/servers/connection.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { asAdmin, noPostgres, startOwn, type Own } from '../support/engines/own-server.ts';
import { memory } from '../support/world/world.ts';

const SECRET = 'hunter2';

/** Failures to connect: the address, and the sentence for it. */
const WAYS: readonly (readonly [string, (own: Own) => string, string, RegExp])[] = [
  [
    'a wrong password',
    ({ primary }) => primary.address('memories', `guarded:${SECRET}`),
    'denied',
    /refuses this user or password; correct PGPASSWORD or ~\/\.pgpass\.$/,
  ],
  [
    'no password',
    ({ primary }) => primary.address('memories', 'guarded'),
    'denied',
    /needs a password; set PGPASSWORD or use ~\/\.pgpass\.$/,
  ],
  [
    'a user who is not in pg_hba.conf',
    ({ primary }) => primary.address('memories', 'stranger'),
    'denied',
    /does not let this user in from here; correct the user or pg_hba\.conf/,
  ],
  [
    'TLS although the server has none',
    ({ database }) => `${database}?sslmode=require&password=${SECRET}`,
    'denied',
    /does not support TLS; turn on its ssl setting, or remove sslmode/,
  ],
  [
    'a database that does not exist',
    ({ primary }) => primary.address('nothing'),
    'missing',
    /\/nothing does not exist; create it with: createdb\.$/,
  ],
  [
    'a database without the schema',
    ({ primary }) => primary.address('postgres'),
    'missing',
    /has schema version 0, but this program needs \d+; run: memory-gateway migrate --database postgres:/,
  ],
  [
    'an unknown host name',
    () => `postgres://me:${SECRET}@nobody.invalid/memories`,
    'unreachable',
    /nobody\.invalid\/memories has (an unknown host name|a host name that cannot be resolved now)/,
  ],
  [
    'a port on which nothing listens',
    () => `postgres://me:${SECRET}@127.0.0.1:1/memories`,
    'unreachable',
    /refuses connections; start the server, or correct its address\.$/,
  ],
];

/** Errors of the server while it runs a statement, by code. */
const CODES: Readonly<Record<string, RegExp>> = {
  '22021': /cannot store a character/,
  '25006': /is read-only here: a replica, or a user or address/,
  '40001': /cancelled the statement in favour of another one/,
  '42501': /does not allow this user to do that/,
  '42883': /lacks a function/,
  '53100': /its disk is full; free some space/,
  '53200': /is out of memory or disk space/,
  '53300': /has no connections left; raise max_connections, or lower --connections/,
  '55P03': /is locked by another program/,
  '57014': /took too long/,
  '57P01': /was stopped or restarted/,
  '57P03': /is starting up or shutting down; try again/,
  '58030': /cannot read one of its files/,
  XX001: /is damaged; see the server log/,
  '26000': /has lost a prepared statement; see docs/,
};

/** The codes after which a read is retried. */
const LOST = new Set(['26000', '57P01']);

describe('PostgreSQL refuses', { skip: noPostgres }, () => {
  it('in one sentence that says what to do and contains no secret', async (t) => {
    const own = await startOwn(t);
    await guard(own);
    for (const [name, addressOf, trouble, sentence] of WAYS)
      await t.test(name, async () => {
        const error = await refusalOf(async () => (await engineOf(addressOf(own)).open()).close());
        assert.match(error.message, sentence);
        assert.equal(error.code, trouble);
        assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(SECRET));
      });

    const connections = await connect(own.database, { connections: 1 });
    t.after(() => connections.close());
    const raise = (code: string) =>
      connections.withClient((client) =>
        client.query(
          `DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '${code}', DETAIL = '${SECRET}'; END $$`,
        ),
      );
    for (const [code, sentence] of Object.entries(CODES))
      await t.test(`${code} while it runs a statement`, async () => {
        const error = await refusalOf(() => raise(code));
        assert.match(error.message, sentence);
        assert.equal(isConnectionLost(error), LOST.has(code));
        assert.ok(!`${JSON.stringify(error)}${error.stack}`.includes(SECRET));
      });

    await t.test('with an unknown code, without values from rows', async () => {
      const error = await refusalOf(() => raise('P0001'));
      assert.match(
        error.message,
        / cannot do that, PostgreSQL says: raised; see the server log\.$/,
      );
      assert.equal(error.code, 'unusable');
      assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(SECRET));
    });

    await t.test('to write to a server that became a replica or read-only', async () => {
      await asAdmin(own.primary, (admin) =>
        admin.query('ALTER DATABASE memories SET default_transaction_read_only = on'),
      );
      const put = () =>
        engineOf(own.database).withWriter(({ memories }) =>
          memories.put('ana', memory({ id: 'new' })),
        );
      assert.match((await refusalOf(put)).message, /connect to the primary as the owner\.$/);
      await (await engineOf(own.database).open()).close(); // reads still work
    });

    await t.test('a schema of its name that another program made', async () => {
      await asAdmin(own.primary, (admin) => admin.query('CREATE DATABASE other'));
      await asAdmin(
        own.primary,
        (admin) =>
          admin.query('CREATE SCHEMA memory_gateway; CREATE TABLE memory_gateway.x (a int)'),
        'other',
      );
      const other = own.database.replace(/\/memories(?=$|\?)/, '/other');
      assert.notEqual(other, own.database);
      const error = await refusalOf(() => engineOf(other).upgrade({ discard: false }));
      assert.equal(error.code, 'foreign');
      assert.match(error.message, /has a schema memory_gateway that this program did not make; /);
    });

    await t.test('a schema newer than this program', async () => {
      await asAdmin(own.primary, (admin) =>
        admin.query('ALTER DATABASE memories RESET default_transaction_read_only'),
      );
      await asAdmin(
        own.primary,
        (admin) =>
          admin.query(`INSERT INTO memory_gateway.schema_versions VALUES (99, '0099-later.sql')`),
        'memories',
      );
      const open = async () => (await engineOf(own.database).open()).close();
      assert.match(
        (await refusalOf(open)).message,
        /has schema version 99, but this program knows only \d+;/,
      );
    });
  });
});

/** Makes a server ask one role for a password, and refuse unknown roles. */
async function guard({ primary }: Own): Promise<void> {
  const file = join(primary.folder, 'pg_hba.conf');
  const trusted = readFileSync(file, 'utf8');
  writeFileSync(file, 'host all guarded 127.0.0.1/32 scram-sha-256\n');
  appendFileSync(file, trusted.replaceAll(/^host +all +all/gm, 'host all postgres'));
  await asAdmin(primary, async (admin) => {
    await admin.query(`CREATE ROLE guarded LOGIN PASSWORD 'another'; CREATE ROLE stranger LOGIN`);
    await admin.query('SELECT pg_reload_conf()');
  });
}

async function refusalOf(work: () => Promise<unknown>): Promise<Refusal> {
  const error = await work().then(
    () => assert.fail('the connection was refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Refusal, String(error));
  return error;
}
