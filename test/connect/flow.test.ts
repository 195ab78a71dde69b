// Connecting an OAuth client: from the first 401 to reading memories, refreshing, and the owner's revocation.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';

import { compareText } from '../../src/lib/order.ts';
import { jsonOf, listOf } from '../support/app/app-world.ts';
import {
  allow,
  authorization,
  callTool,
  CHOICE,
  connect,
  createConnectWorld,
  exchange,
  PUBLIC,
  readTokens,
  REDIRECT,
  refresh,
} from '../support/connect/connect-world.ts';
import { engine } from '../support/engines/engine.ts';
import { DAY, MINUTE, setClock } from '../support/world/app-store.ts';
import { moveClocks } from '../support/world/clocks.ts';

const HOUR = 60 * MINUTE;

describe('An OAuth client', () => {
  it('finds its way from the first 401 to a tool, and to the end of its grant', async (t) => {
    const world = await createConnectWorld(t);
    const first = await world.ask('POST', '/mcp/connect', { json: {} });
    assert.equal(first.status, 401);
    const [, metadataUrl = ''] =
      /resource_metadata="([^"]+)"/.exec(first.headers['www-authenticate'] ?? '') ?? [];
    assert.equal(metadataUrl, `${PUBLIC}/.well-known/oauth-protected-resource/mcp/connect`);
    const resource = jsonOf(await world.ask('GET', new URL(metadataUrl).pathname));
    assert.deepEqual(resource['authorization_servers'], [`${PUBLIC}/oauth`]);
    const issuer = jsonOf(await world.ask('GET', '/.well-known/oauth-authorization-server/oauth'));
    assert.equal(issuer['issuer'], `${PUBLIC}/oauth`);

    const asked = authorization();
    const sent = await world.ask('GET', `/oauth/authorize?${asked.query}`);
    assert.equal(sent.status, 303);
    assert.equal(sent.headers['location'], `${PUBLIC}/app/consent?${asked.query}`);
    assert.deepEqual(world.fetched, [], 'nothing is fetched for a stranger');

    const owner = await world.owner();
    const looked = jsonOf(await owner.post('/consents/look', { query: asked.query }));
    assert.deepEqual(looked['client'], {
      id: 'https://assistant.example/client.json',
      name: 'Assistant',
      redirect: 'assistant.example',
      is_local: false,
      is_verified: true,
    });
    const back = await allow(owner, asked.query);
    assert.equal(back.origin + back.pathname, REDIRECT);
    assert.equal(back.searchParams.get('state'), asked.state);
    assert.equal(back.searchParams.get('iss'), `${PUBLIC}/oauth`);

    const tokens = readTokens(await exchange(world, asked, back));
    const listed = await callTool(world, tokens.access_token, 'list_memories');
    assert.match(listed.text, /Memory one/);
    const next = readTokens(await refresh(world, tokens.refresh_token));
    assert.equal((await callTool(world, next.access_token, 'list_memories')).status, 200);

    const [grant] = listOf(await owner.get('/grants'));
    assert.equal(grant?.['client'], 'Assistant');
    assert.equal((await owner.delete(`/grants/${String(grant?.['id'])}`)).status, 204);
    for (const { access_token } of [tokens, next]) {
      const ended = await callTool(world, access_token, 'list_memories');
      assert.equal(ended.status, 401);
      assert.match(
        ended.headers['www-authenticate'] ?? '',
        /^Bearer error="invalid_token".*resource_metadata="/,
      );
    }
    assert.equal((await refresh(world, next.refresh_token)).status, 400);
    assert.deepEqual(listOf(await owner.get('/grants')), []);
  });

  it('that registers itself is connected like one with a document', async (t) => {
    const world = await createConnectWorld(t);
    const registered = await world.ask('POST', '/oauth/register', {
      json: {
        client_name: 'Code editor',
        redirect_uris: ['http://127.0.0.1:1234/callback'],
        token_endpoint_auth_method: 'client_secret_post',
        scope: 'x',
      },
    });
    assert.equal(registered.status, 201, registered.text);
    const { client_id, client_secret, token_endpoint_auth_method } = jsonOf(registered);
    assert.deepEqual([client_secret, token_endpoint_auth_method], [undefined, 'none']);
    const owner = await world.owner();
    const parameters = {
      client_id: String(client_id),
      redirect_uri: 'http://127.0.0.1:5678/callback',
    };
    const looked = jsonOf(
      await owner.post('/consents/look', { query: authorization(parameters).query }),
    );
    assert.deepEqual(looked['client'], {
      id: client_id,
      name: 'Code editor',
      redirect: '127.0.0.1:5678',
      is_local: true,
      is_verified: false,
    });
    const { access_token } = await connect(world, owner, {}, parameters);
    assert.equal((await callTool(world, access_token, 'list_memories')).status, 200);
  });

  it('gets a code for a minute and an access token for an hour, and nothing outlives its grant', async (t) => {
    const world = await createConnectWorld(t);
    const owner = await world.owner();
    const now = Date.now();
    const waiting = [authorization(), authorization()];
    const [intime, late] = await Promise.all(waiting.map(({ query }) => allow(owner, query)));
    assert.ok(waiting[0] && waiting[1] && intime && late);
    setClock(t, now + 59_000);
    const tokens = readTokens(await exchange(world, waiting[0], intime));
    setClock(t, now + 65_000);
    assert.equal(jsonOf(await exchange(world, waiting[1], late))['error'], 'invalid_grant');

    setClock(t, now + HOUR);
    assert.equal((await callTool(world, tokens.access_token, 'list_memories')).status, 200);
    setClock(t, now + HOUR + 65_000);
    assert.equal((await callTool(world, tokens.access_token, 'list_memories')).status, 401);

    const ends = now + CHOICE.days * DAY;
    setClock(t, ends - HOUR / 2);
    const last = readTokens(await refresh(world, tokens.refresh_token));
    assert.equal((await callTool(world, last.access_token, 'list_memories')).status, 200);
    setClock(t, ends + 65_000);
    assert.equal((await callTool(world, last.access_token, 'list_memories')).status, 401);
    assert.equal(jsonOf(await refresh(world, last.refresh_token))['error'], 'invalid_grant');
  });

  it('is connected, and its last use is recorded, also after the system clock has jumped', async (t) => {
    const world = await createConnectWorld(t);
    const clock = moveClocks(t);
    for (const jump of [2 * HOUR, -3 * HOUR]) {
      const owner = await world.owner();
      clock.jump(jump);
      const { access_token } = await connect(world, owner);
      assert.equal((await callTool(world, access_token, 'list_memories')).status, 200);
      // The use is written after the response.
      for (let tries = 0; tries < 100; tries++) {
        const [latest] = listOf(await owner.get('/grants'));
        if (latest?.['last_used_at'] !== null) break;
        assert.ok(tries < 99, 'the last use was never written');
        await setImmediate();
      }
    }
  });

  it('shows its owner what it has read, and nobody else, until it is revoked', async (t) => {
    const world = await createConnectWorld(t, { keyLog: true });
    const owner = await world.owner();
    const { access_token } = await connect(world, owner);
    await callTool(world, access_token, 'list_memories');
    await callTool(world, access_token, 'fetch', { id: 'one' });
    await callTool(world, access_token, 'fetch', { id: 'one' });
    const [grant] = listOf(await owner.get('/grants'));
    const path = `/grants/${String(grant?.['id'])}/reads`;
    assert.deepEqual(
      listOf(await owner.get(path))
        .map((read) => `${String(read['path'])} ${String(read['count'])}`)
        .toSorted(compareText),
      ['/mcp fetch memory://one 2', '/mcp list_memories 1'],
    );
    const bo = await world.owner('bo');
    assert.equal((await bo.get(path)).status, 404);
    const kept = () => engine.edit(world.database, 'SELECT grant_id, count FROM key_reads');
    const rows = kept().map((row) => [row['grant_id'], Number(row['count'])]);
    assert.deepEqual(
      rows.toSorted(([, one], [, other]) => Number(one) - Number(other)),
      [
        [grant?.['id'], 1],
        [grant?.['id'], 2],
      ],
      'in the database, so a restart forgets nothing',
    );
    await owner.delete(`/grants/${String(grant?.['id'])}`);
    assert.deepEqual(kept(), []);
  });

  it('is connected only as long as it has a code or a token', async (t) => {
    const world = await createConnectWorld(t);
    const owner = await world.owner();
    const now = Date.now();
    setClock(t, now); // however long both consents take
    const asked = authorization();
    const back = await allow(owner, asked.query, { reads: 'summaries' });
    await allow(owner, authorization().query);
    assert.equal(listOf(await owner.get('/grants')).length, 2);
    readTokens(await exchange(world, asked, back));
    setClock(t, now + 65_000);
    const listed = listOf(await owner.get('/grants'));
    assert.deepEqual(
      listed.map(({ reads }) => reads),
      ['summaries'],
    );
    setClock(t, now + 2 * HOUR);
    assert.equal(listOf(await owner.get('/grants')).length, 1);
  });

  it('that never redeems its codes leaves room for others after a minute', async (t) => {
    const world = await createConnectWorld(t);
    const owner = await world.owner();
    const now = Date.now();
    setClock(t, now);
    for (let count = 0; count < 50; count++) await allow(owner, authorization().query);
    const full = await owner.post('/consents', { query: authorization().query, ...CHOICE });
    assert.equal(full.status, 409, full.text);
    setClock(t, now + 2 * MINUTE);
    await connect(world, owner);
    assert.equal(listOf(await owner.get('/grants')).length, 1);
  });

  it('that may read summaries gets no transcript, and one with a window no memory outside it', async (t) => {
    const world = await createConnectWorld(t);
    const owner = await world.owner();
    const fetched = (token: string) => callTool(world, token, 'fetch', { id: 'one' });
    const whole = await connect(world, owner);
    assert.match((await fetched(whole.access_token)).text, /word word/);
    const summaries = await connect(world, owner, { reads: 'summaries' });
    assert.doesNotMatch((await fetched(summaries.access_token)).text, /word word/);
    const refreshed = readTokens(await refresh(world, summaries.refresh_token));
    assert.doesNotMatch((await fetched(refreshed.access_token)).text, /word word/);
    const late = await connect(world, owner, { started_after: '2099-01-01T00:00:00.000Z' });
    assert.equal((await fetched(late.access_token)).result.isError, true);
    const listed = await callTool(world, late.access_token, 'list_memories');
    assert.doesNotMatch(listed.text, /Memory one/);
    for (const choice of [{ source: 'omi' }, { tags: ['work'] }]) {
      const part = await connect(world, owner, choice);
      for (const token of [
        part.access_token,
        readTokens(await refresh(world, part.refresh_token)).access_token,
      ]) {
        assert.equal((await fetched(token)).result.isError, true);
        const found = await callTool(world, token, 'list_memories');
        assert.doesNotMatch(found.text, /Memory one/);
      }
    }
  });
});
