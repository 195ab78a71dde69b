// The app's own endpoints: keys, the log, validation, and a database that cannot be written.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

import * as v from 'valibot';

import { clients } from '../../src/agents/clients/configuration.ts';
import { AccountEvent } from '../../src/app/contract/event-records.ts';
import { AgentSetup, Key, KEY_PLACEHOLDER, Me, NewKey } from '../../src/app/contract/records.ts';
import { LAST_DAY, WEEK_MS } from '../../src/lib/time.ts';
import { cookieOf, createAppWorld, jsonOf, listOf, NO_STORE } from '../support/app/app-world.ts';
import { engine } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send, type WireAnswer } from '../support/wire/wire.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';

describe('The keys of an account', () => {
  it('are listed if one was to live until the last day of the calendar, and is rotated', async (t) => {
    const { signIn, writer, database } = await createAppWorld(t);
    const account_id = 'ana';
    const last = writer.keys.create({ account_id, label: 'last', expires_at: LAST_DAY });
    engine.edit(database, `UPDATE api_keys SET created_at = created_at - ${WEEK_MS}`);
    const never = writer.keys.create({ account_id, label: 'never', expires_at: null });
    const keys = [last, never, writer.keys.rotate(last.id, 0)];
    keys.push(writer.keys.rotate(never.id, 999_999 * WEEK_MS));
    for (const { key } of keys) issued(key);
    const list = v.parse(v.array(Key), listOf(await (await signIn()).get('/keys')));
    const ends = list
      .filter(({ label }) => label === 'last' || label === 'never')
      .map(({ expires_at }) => expires_at);
    const end = new Date(LAST_DAY).toISOString();
    assert.deepEqual([ends.length, new Set(ends)], [4, new Set([end, null])]);
  });

  it('are created, work, are rotated with a grace period, and revoked', async (t) => {
    const { signIn, port } = await createAppWorld(t);
    const opened = await signIn();
    const works = async (key: string) => (await send(port, { key })).status === 200;
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const made = v.parse(
      NewKey,
      jsonOf(await opened.post('/keys', { label: 'laptop', expires_at })),
    );
    assert.equal(await works(issued(made.key)), true);
    assert.deepEqual(
      [made.label, made.expires_at, made.state, made.last_four, made.last_used_at],
      ['laptop', expires_at, 'active', made.key.slice(-4), null],
    );
    const next = v.parse(
      NewKey,
      jsonOf(await opened.post(`/keys/${made.id}/rotate`, { grace: 3600 })),
    );
    assert.deepEqual([await works(made.key), await works(issued(next.key))], [true, true]);
    const last = v.parse(
      NewKey,
      jsonOf(await opened.post(`/keys/${next.id}/rotate`, { grace: 0 })),
    );
    assert.deepEqual([await works(next.key), await works(issued(last.key))], [false, true]);
    assertFailure(await opened.post(`/keys/${next.id}/rotate`, { grace: 0 }), 409, '', NO_STORE);
    assert.equal((await opened.delete(`/keys/${last.id}`)).status, 204);
    assert.equal(await works(last.key), false);
    const list = v.parse(v.array(Key), listOf(await opened.get('/keys')));
    assert.deepEqual(
      list.map(({ label, state }) => [label, state]),
      [
        ['laptop', 'revoked'],
        ['laptop', 'revoked'],
        ['laptop', 'active'],
        ['test', 'active'],
      ],
    );
    const kinds = v
      .parse(v.array(AccountEvent), listOf(await opened.get('/events')))
      .map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(0, 4), [
      'key-revoked',
      'key-rotated',
      'key-rotated',
      'key-created',
    ]);
  });

  it('of another account are those that do not exist', async (t) => {
    const { signIn, keys, port } = await createAppWorld(t);
    const [ana, bo] = [await signIn('ana'), await signIn('bo')];
    const [key] = listOf(await ana.get('/keys'));
    const id = String(key?.['id']);
    for (const [path, body] of [
      [`/keys/${id}/rotate`, { grace: 0 }],
      ['/keys/nothing/rotate', { grace: 0 }],
    ] as const)
      assertFailure(await bo.post(path, body), 404, path, NO_STORE);
    const [foreign, absent] = [await bo.delete(`/keys/${id}`), await bo.delete('/keys/nothing')];
    assert.deepEqual([foreign.status, foreign.text], [404, absent.text]);
    assert.equal((await send(port, { key: keys.ana })).status, 200);
  });

  it('show their last use, also of a key that was just created', async (t) => {
    const { signIn, port } = await createAppWorld(t);
    const opened = await signIn();
    const { key } = jsonOf(await opened.post('/keys', { label: 'new', expires_at: null }));
    assert.equal((await send(port, { key: issued(String(key)) })).status, 200);
    for (let tries = 0; ; tries++) {
      const [first] = v.parse(v.array(Key), listOf(await opened.get('/keys')));
      assert.equal(first?.label, 'new');
      if (first.last_used_at !== null) break;
      assert.ok(tries < 200, 'the use of a new key is written at once');
    }
  });
});

describe('The input of an endpoint', () => {
  it('is refused with a sentence that names the property', async (t) => {
    const { signIn } = await createAppWorld(t);
    const opened = await signIn();
    for (const [path, body, detail] of [
      ['/keys', { expires_at: null }, 'Send the property "label".'],
      ['/keys', { label: 'x' }, 'Send the property "expires_at".'],
      ['/keys', { label: '', expires_at: null }, /"label" takes 1 to 200 characters on one line/],
      ['/keys', { label: 7, expires_at: null }, /"label" takes 1 to 200 characters on one line/],
      ['/keys', { label: 'x', expires_at: 'tomorrow' }, /"expires_at" takes a UTC time such as/],
      [
        '/keys',
        { label: 'x', expires_at: '2020-01-01T00:00:00.000Z' },
        /"expires_at" takes a time in the future/,
      ],
      [
        '/keys',
        { label: 'x', expires_at: null, more: 1 },
        'Unknown property "more"; leave it out.',
      ],
      ['/keys/a/rotate', { grace: -1 }, /"grace" takes seconds, from 0 to 2592000/],
      ['/keys/a/rotate', { grace: 1.5 }, /"grace" takes seconds/],
      ['/keys/a/rotate', { grace: 0, id: 'b' }, /Send "id" in the path/],
      ['/links', { x: 1 }, 'Unknown property "x"; leave it out.'],
      ['/links/look', { secret: 'short' }, /"secret" takes the secret of a sign-in link/],
      ['/sessions', { way: 'key', secret: 'x' }, /"way" takes link, password or passkey/],
      ['/sessions', { way: 'link' }, 'Send the property "secret".'],
      ['/sessions', {}, 'Send the property "way".'],
      ['/password', { password: 'short' }, /"password" takes 15 to 1,024 characters/],
    ] as const) {
      const answer = await opened.post(path, body);
      const said = assertFailure(answer, 422, `${path} ${JSON.stringify(body)}`, NO_STORE);
      if (typeof detail === 'string') assert.equal(said, detail);
      else assert.match(said, detail);
    }
  });

  it('is one JSON object', async (t) => {
    const { signIn, port } = await createAppWorld(t);
    const { jar } = await signIn();
    const cookie = cookieOf(jar);
    const headers = {
      cookie,
      origin: `http://127.0.0.1:${port}`,
      'content-type': 'application/json',
    };
    for (const body of ['{', '[]', 'null', '"x"', '1', '{"a":1}{}', '\0'])
      assertFailure(
        await send(port, { method: 'POST', path: '/app/v1/links', headers, body }),
        400,
        body,
        NO_STORE,
      );
  });
});

describe('The account', () => {
  it('is described for the page', async (t) => {
    const { signIn, port } = await createAppWorld(t);
    const me = v.parse(Me, jsonOf(await (await signIn()).get('/me')));
    assert.equal(me.api_url, `http://127.0.0.1:${port}/v1`);
    assert.deepEqual([me.has_password, me.sign_out_url, me.records_last_use], [false, null, true]);
    assert.equal(me.session?.is_current, true);
  });
});

describe('The configurations of agents', () => {
  it('are those of the command, with the address of the request and a placeholder for the key', async (t) => {
    const { signIn, port, database } = await createAppWorld(t);
    const setups = v.parse(v.array(AgentSetup), listOf(await (await signIn()).get('/agents')));
    const assistants = setups.filter(({ kind }) => kind === 'assistant');
    assert.equal(assistants.length, clients.length);
    assert.ok(setups.length > clients.length);
    for (const { text, client } of setups) {
      assert.ok(text.includes(`http://127.0.0.1:${port}`), client);
      assert.ok(text.includes(KEY_PLACEHOLDER), client);
    }
    const args = ['mcp', '--print', 'claude-desktop', '--url', `http://127.0.0.1:${port}`];
    const { stdout } = await run(args, { env: { MEMORY_GATEWAY_DATABASE: database } });
    const setup = setups.find(({ client }) => client === 'Claude Desktop');
    const unplaced = stdout.trimEnd().replace('"/usr/bin/memory-gateway"', '"memory-gateway"');
    assert.equal(setup?.text, unplaced);
  });

  it('start the program by its path, if the browser is on its machine', async (t) => {
    const program = ['/opt/node', '/opt/memory-gateway.cjs'];
    const { signIn, browser, link } = await createAppWorld(t, { app: { program } });
    const textOf = (answer: WireAnswer) =>
      String(listOf(answer).find(({ client }) => client === 'Claude Desktop')?.['text']);
    const { command, args } = JSON.parse(textOf(await (await signIn()).get('/agents'))).mcpServers
      .memories;
    assert.deepEqual([command, args[0]], program);
    const elsewhere = browser({ origin: 'http://gateway.lan:8787' });
    const headers = { host: 'gateway.lan:8787' };
    await elsewhere.post('/sessions', { way: 'link', secret: await link('ana') }, headers);
    const text = textOf(await elsewhere.get('/agents', headers));
    assert.equal(JSON.parse(text).mcpServers.memories.command, 'memory-gateway');
  });

  it(
    'write notes for Obsidian, whose names any system can have, and no transcript',
    { skip: spawnSync('python3', ['--version']).status !== 0 },
    async (t) => {
      const { signIn, database } = await createAppWorld(t);
      const folder = newFolder();
      const odd = {
        id: 'odd',
        name: `../a: "b" [c]#d|é${'ü'.repeat(200)}`,
        started_at: '2026-11-18T09:00:00Z',
        summary: { quick_summary: 'Short.', key_takeaways: ['Point.'] },
        transcript: 'Mira: Secret.',
      };
      writeFileSync(join(folder, 'odd.json'), JSON.stringify(odd));
      const env = { MEMORY_GATEWAY_DATABASE: database };
      await run(['import', '--account', 'ana', join(folder, 'odd.json')], { env });
      const opened = await signIn();
      const setups = v.parse(v.array(AgentSetup), listOf(await opened.get('/agents')));
      const { text = '', reads } = setups.find(({ client }) => client === 'Obsidian') ?? {};
      assert.equal(reads, 'summaries');
      const made = await opened.post('/keys', { label: 'vault', expires_at: null, reads });
      const key = issued(v.parse(NewKey, jsonOf(made)).key);
      const script = text
        .replace(KEY_PLACEHOLDER, key)
        .replace('~/Obsidian/Memories', join(folder, 'vault'));
      for (let runs = 0; runs < 2; runs++)
        await promisify(execFile)('python3', ['-c', script], { env: { PYTHONUTF8: '1' } });
      const notes = readdirSync(join(folder, 'vault'));
      assert.equal(notes.length, 2, 'a second run writes the same notes');
      const note = notes.find((name) => name.endsWith(' odd.md')) ?? '';
      assert.match(note, /^2026-11-18 \.\._a_ _b_ _c__d_éü+ odd\.md$/);
      assert.ok(Buffer.byteLength(note) < 255);
      const written = readFileSync(join(folder, 'vault', note), 'utf8');
      const address = /"(http\S+)v1\/memories/.exec(text)?.[1] ?? '';
      assert.equal(written, `Short.\n\n- Point.\n\n[Transcript](${address}app/m/odd)\n`);
    },
  );

  it('have the prefix of a configured address', async (t) => {
    const baseUrl = 'https://a.example/memories';
    const { link, browser } = await createAppWorld(t, { baseUrl });
    const opened = browser({ prefix: '/memories', origin: 'https://a.example' });
    await opened.post('/sessions', { way: 'link', secret: await link('ana') });
    const setups = listOf(await opened.get('/agents'));
    assert.match(String(setups[0]?.['text']), / https:\/\/a\.example\/memories\/mcp /);
  });
});

describe('A database that another program is writing', () => {
  it('is said to be busy, and reading goes on', async (t) => {
    const { signIn, database, port, keys } = await createAppWorld(t);
    const opened = await signIn();
    const before = listOf(await opened.get('/keys')).length;
    engine.lock(t, database);
    const answer = await opened.post('/keys', { label: 'x', expires_at: null });
    assert.match(assertFailure(answer, 503, '', NO_STORE), /^Another program is writing/);
    assert.equal((await opened.get('/memories/one')).status, 200);
    assert.equal((await send(port, { key: keys.ana })).status, 200);
    assert.equal(listOf(await opened.get('/keys')).length, before);
  });
});

describe('The log', () => {
  it('has no secret of a session, link, key or password', async (t) => {
    const { signIn, log, link, browser, keys } = await createAppWorld(t);
    const opened = await signIn();
    const secret = await link('bo');
    const password = 'a password that nobody guesses';
    await browser().post('/sessions', { way: 'link', secret });
    const { key } = jsonOf(await opened.post('/keys', { label: 'x', expires_at: null }));
    assert.equal((await opened.post('/password', { password })).status, 204);
    await opened.get('/keys', { authorization: `Bearer ${keys.ana}` });
    await opened.get(`/m/${secret}`);
    const text = JSON.stringify(log);
    const [token = ''] = opened.jar.values();
    for (const each of [token, secret, issued(String(key)), password, keys.ana])
      assert.ok(!text.includes(each));
    const routes = new Set(log.map(({ fields }) => fields['route']));
    assert.ok(routes.has('app.sessions.create') && routes.has('app.keys.create'));
  });
});
