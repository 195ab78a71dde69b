// grants list and grants revoke, as processes.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { hashSecret } from '../../src/store/app/access.ts';
import { addGrant } from '../support/connect/add-grant.ts';
import { callTool, connect, createConnectWorld } from '../support/connect/connect-world.ts';
import { createApp, DAY } from '../support/world/app-store.ts';
import { run } from '../support/world/program.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4);
const ID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;

/** A grant of `ana` to read everything, and one of `bo` to read the summaries of a window. */
async function createGrants(t: TestContext) {
  const { database, app } = await createApp(t);
  const whole = await addGrant(app);
  await app.grants.recordUse(new Map([[whole.grant.id, AT]]));
  const part = await addGrant(app, {
    account_id: 'bo',
    client_name: 'Editor\n\u001b[31mred',
    redirect_host: '127.0.0.1:5678',
    scope: {
      reads: 'summaries',
      started_after: AT,
      started_before: AT + DAY,
      source: 'omi',
      tags: ['work', 'home'],
    },
  });
  const grants = (...words: readonly string[]) => run(['grants', ...words, '--database', database]);
  return { app, database, whole, part, grants };
}

describe('grants list', () => {
  it('shows the grants of all accounts, or of one, and what each may read', async (t) => {
    const { whole, part, grants } = await createGrants(t);
    const { code, stdout, stderr } = await grants('list');
    assert.deepEqual([code, stderr], [0, '']);
    const [header, ana, bo, ...others] = stdout.trimEnd().split('\n');
    assert.match(
      String(header),
      /^ID +ACCOUNT +CLIENT +REDIRECT +READS +CREATED +EXPIRES +LAST USED$/,
    );
    assert.match(
      String(ana),
      /^[\da-f-]{36} +ana +Assistant +assistant\.example +all +\d{4}-.+ 2026-01-02 03:04Z$/,
    );
    assert.match(
      String(bo),
      /^[\da-f-]{36} +bo +Editor.+ +127\.0\.0\.1:5678 +summaries from 2026-01-02 03:04Z to 2026-01-03 03:04Z of omi with "work" and "home" +.+ -$/,
    );
    assert.ok(ana?.startsWith(whole.grant.id) && bo?.startsWith(part.grant.id));
    assert.deepEqual(others, []);
    assert.ok(!stdout.includes('\u001b[31m'), 'a client cannot write to the terminal');
    const { stdout: one } = await grants('list', '--account', 'ana');
    assert.deepEqual(one.trimEnd().split('\n').length, 2);
    assert.ok(one.includes(whole.grant.id));
  });

  it('prints JSON with the window of each grant, and no token', async (t) => {
    const { whole, part, grants } = await createGrants(t);
    const { code, stdout } = await grants('list', '--json');
    assert.equal(code, 0);
    const [ana, bo] = JSON.parse(stdout);
    const iso = (time: number) => new Date(time).toISOString();
    const common = {
      client_id: 'https://assistant.example/client.json',
      resource: 'https://memories.example/mcp/connect',
    };
    assert.match(ana.id, ID);
    assert.deepEqual(ana, {
      ...common,
      id: whole.grant.id,
      account_id: 'ana',
      client_name: 'Assistant',
      redirect_host: 'assistant.example',
      reads: 'all',
      started_after: null,
      started_before: null,
      source: null,
      tags: [],
      created_at: iso(whole.grant.created_at),
      expires_at: iso(whole.grant.expires_at),
      last_used_at: iso(AT),
    });
    assert.deepEqual(bo, {
      ...common,
      id: part.grant.id,
      account_id: 'bo',
      client_name: 'Editor\n\u001b[31mred',
      redirect_host: '127.0.0.1:5678',
      reads: 'summaries',
      started_after: iso(AT),
      started_before: iso(AT + DAY),
      source: 'omi',
      tags: ['work', 'home'],
      created_at: iso(part.grant.created_at),
      expires_at: iso(part.grant.expires_at),
      last_used_at: null,
    });
    for (const token of [whole.token, part.token])
      assert.ok(!stdout.includes(token) && !stdout.includes(hashSecret(token)));
  });

  it('leaves out a grant that has expired', async (t) => {
    const { app, grants } = await createGrants(t);
    await addGrant(app, { client_name: 'Past', expires_at: Date.now() });
    assert.doesNotMatch((await grants('list')).stdout, /Past/);
  });

  it('says that there are none, and what is wrong', async (t) => {
    const { database } = await createApp(t);
    const grants = (...words: readonly string[]) => run([...words, '--database', database]);
    const none = await grants('grants', 'list');
    assert.deepEqual([none.code, none.stdout], [0, 'There are none yet.\n']);
    assert.deepEqual(JSON.parse((await grants('grants', 'list', '--json')).stdout), []);
    const unknown = await grants('grants', 'list', '--account', 'nobody');
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /There is no account "nobody"/);
    assert.equal((await grants('grants', 'list', 'ana')).code, 2);
  });
});

describe('grants revoke', () => {
  it('ends a grant and its tokens, and no other', async (t) => {
    const { app, whole, part, grants } = await createGrants(t);
    const { id } = whole.grant;
    const { code, stdout } = await grants('revoke', id);
    assert.deepEqual([code, stdout], [0, `Grant ${id} is revoked.\n`]);
    assert.equal(await app.grants.findByToken(hashSecret(whole.token)), undefined);
    assert.equal(await app.grantTokens.find(whole.token), undefined);
    assert.equal((await app.grants.findByToken(hashSecret(part.token)))?.id, part.grant.id);
    const other = await grants('revoke', part.grant.id, '--json');
    assert.deepEqual(JSON.parse(other.stdout), { id: part.grant.id, state: 'revoked' });
    const { events } = app;
    assert.equal((await events.list('ana'))[0]?.kind, 'grant-revoked');
  });

  it('ends the calls of a connected client at once, in a server that goes on running', async (t) => {
    const world = await createConnectWorld(t);
    const owner = await world.owner();
    const { access_token } = await connect(world, owner);
    assert.equal((await callTool(world, access_token, 'list_memories')).status, 200);
    const from = ['--database', world.database];
    const { stdout } = await run(['grants', 'list', '--json', ...from]);
    const [{ id }] = JSON.parse(stdout);
    assert.equal((await run(['grants', 'revoke', id, ...from])).code, 0);
    assert.equal((await callTool(world, access_token, 'list_memories')).status, 401);
  });

  it('refuses an id that is not there, or was revoked before, with exit code 1, and no id with 2', async (t) => {
    const { whole, grants } = await createGrants(t);
    const { id } = whole.grant;
    assert.equal((await grants('revoke', id)).code, 0);
    for (const wrong of [id, 'x']) {
      const { code, stdout, stderr } = await grants('revoke', wrong);
      assert.deepEqual([code, stdout], [1, '']);
      assert.ok(
        stderr.includes(`There is no grant ${wrong}; "memory-gateway grants list" shows the ids.`),
        stderr,
      );
    }
    assert.equal((await grants('revoke')).code, 2);
    assert.equal((await grants('revoke', id, id)).code, 2);
  });
});
