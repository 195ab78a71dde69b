// What PostgreSQL refuses: one sentence for whoever runs the gateway, with what mends it, and no secret.

import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';

import { openAnyStore } from '../../src/store/open.ts';
import { connect } from '../../src/store/postgres/driver.ts';
import { isLost } from '../../src/store/postgres/errors.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { withWriter } from '../../src/store/writer.ts';
import { asAdmin, noPostgres, startOwn, type Own } from '../support/own.ts';
import { memory } from '../support/world.ts';

const SECRET = 'hunter2';

/** What goes wrong on the way in, by the address that is tried, and what is said of it. */
const WAYS: readonly (readonly [string, (own: Own) => string, string, RegExp])[] = [
  [
    'a wrong password',
    ({ primary }) => primary.address('memories', `guarded:${SECRET}`),
    'denied',
    /does not know this user by this password; mend it \(PGPASSWORD, ~\/\.pgpass\)\.$/,
  ],
  [
    'no password',
    ({ primary }) => primary.address('memories', 'guarded'),
    'denied',
    /wants a password; give it by PGPASSWORD or in ~\/\.pgpass\.$/,
  ],
  [
    'a user whom pg_hba.conf does not know',
    ({ primary }) => primary.address('memories', 'stranger'),
    'denied',
    /does not let this user in from here; mend the user or pg_hba\.conf/,
  ],
  [
    'TLS where the server has none',
    ({ database }) => `${database}?sslmode=require&password=${SECRET}`,
    'denied',
    /speaks no TLS; mend its ssl, or leave sslmode out/,
  ],
  [
    'a database that is not there',
    ({ primary }) => primary.address('nothing'),
    'missing',
    /\/nothing is not there; create it with: createdb\.$/,
  ],
  [
    'a database without the schema',
    ({ primary }) => primary.address('postgres'),
    'missing',
    /has schema 0, and this program needs \d+; run: memory-gateway migrate --database postgres:/,
  ],
  [
    'a host that nobody knows',
    () => `postgres://me:${SECRET}@nobody.invalid/memories`,
    'unreachable',
    /nobody\.invalid\/memories has a host that (nobody knows|cannot be looked up now)/,
  ],
  [
    'a port that nobody listens on',
    () => `postgres://me:${SECRET}@127.0.0.1:1/memories`,
    'unreachable',
    /takes no connections; start it, or mend its address\.$/,
  ],
];

/** What a server says in the middle of work, by its codes. */
const CODES: Readonly<Record<string, RegExp>> = {
  '22021': /cannot keep a character/,
  '25006': /lets nothing be written, as it is a replica or read-only/,
  '40001': /has cancelled the statement for another one/,
  '42501': /does not let this user do that/,
  '42883': /lacks a function/,
  '53100': /the disk is full; free some space/,
  '53200': /is out of memory or of room/,
  '53300': /has no connection left; raise max_connections, or lower --connections/,
  '55P03': /is locked by another program/,
  '57014': /took too long/,
  '57P01': /was ended or restarted/,
  '57P03': /is starting or ending; try again/,
  '58030': /cannot read a file of its own/,
  XX001: /is damaged; see its log/,
  '26000': /does not know a statement that was prepared; see "Poolers"/,
};

/** Those after which a read is asked once more. */
const LOST = new Set(['26000', '57P01']);

describe('PostgreSQL refuses', { skip: noPostgres }, () => {
  it('in one sentence that says what to do, and tells no secret', async (t) => {
    const own = await startOwn(t);
    await guard(own);
    for (const [name, addressOf, trouble, sentence] of WAYS)
      await t.test(name, async () => {
        const error = await refusalOf(async () => (await openAnyStore(addressOf(own))).close());
        assert.match(error.message, sentence);
        assert.equal(error.trouble, trouble);
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
      await t.test(`${code} in the middle of work`, async () => {
        const error = await refusalOf(() => raise(code));
        assert.match(error.message, sentence);
        assert.equal(isLost(error), LOST.has(code));
        assert.ok(!`${JSON.stringify(error)}${error.stack}`.includes(SECRET));
      });

    await t.test('what it does not know as well, without what stands in rows', async () => {
      const error = await raise('P0001').then(
        () => assert.fail('nothing was refused'),
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof Error && !(error instanceof Refusal));
      assert.match(error.message, /^PostgreSQL says: raised$/);
      assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(SECRET));
    });

    await t.test('to write what has become a replica, or read-only', async () => {
      await asAdmin(own.primary, (admin) =>
        admin.query('ALTER DATABASE memories SET default_transaction_read_only = on'),
      );
      const put = () =>
        withWriter(own.database, ({ memories }) => memories.put('ana', memory({ id: 'new' })));
      assert.match((await refusalOf(put)).message, /name its primary\.$/);
      await (await openAnyStore(own.database)).close(); // and reads go on
    });

    await t.test('a schema that is newer than this program', async () => {
      await asAdmin(own.primary, (admin) =>
        admin.query('ALTER DATABASE memories RESET default_transaction_read_only'),
      );
      await asAdmin(
        own.primary,
        (admin) =>
          admin.query(`INSERT INTO memory_gateway.schema_versions VALUES (99, '0099-later.sql')`),
        'memories',
      );
      const open = async () => (await openAnyStore(own.database)).close();
      assert.match((await refusalOf(open)).message, /has schema 99, and this program knows \d+;/);
    });
  });
});

/** Has a server ask one role for a password, and turn others away that nobody has made. */
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
    () => assert.fail('nothing was refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Refusal, String(error));
  return error;
}
