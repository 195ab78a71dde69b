// Attacks on OAuth connections (RFC 9700), each tried against a gateway with connectors.

import assert from 'node:assert/strict';
import { generateKeyPairSync, hash, randomUUID, sign } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';

import { createCountRegistration } from '../../src/connect/registration.ts';
import { hashSecret } from '../../src/store/app/access.ts';
import { jsonOf, listOf } from '../support/app/app-world.ts';
import {
  allow,
  authorization,
  callTool,
  CHOICE,
  connect,
  type ConnectWorld,
  createConnectWorld,
  describeClient,
  DOCUMENT_URL,
  exchange,
  PUBLIC,
  readTokens,
  REDIRECT,
  refresh,
} from '../support/connect/connect-world.ts';
import { engine } from '../support/engines/engine.ts';

/** Creates a key of a client, and the function that signs proofs of it (RFC 7523). */
function createProver() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return {
    jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' },
    prove(aud: string, more: object = {}) {
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: DOCUMENT_URL, sub: DOCUMENT_URL, jti: randomUUID(), iat: now };
      const payload = encode({ ...claims, aud, exp: now + 60, ...more });
      const text = `${encode({ alg: 'ES256', kid: 'one' })}.${payload}`;
      const options = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
      const signature = sign('sha256', Buffer.from(text), options).toString('base64url');
      return {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `${text}.${signature}`,
      };
    },
  };
}

function register(world: ConnectWorld, uri: string, client_name?: string) {
  const json = { client_name, redirect_uris: [uri] };
  return world.ask('POST', '/oauth/register', { json });
}

/** Returns a test that no client is registered with one of some addresses. */
function registersNone(uris: readonly string[]) {
  return async (t: TestContext) => {
    const world = await createConnectWorld(t);
    for (const uri of uris) assert.equal((await register(world, uri)).status, 400, uri);
  };
}

/** Creates a gateway with connectors, and signs its owner in. */
async function createOwner(t: TestContext) {
  const world = await createConnectWorld(t);
  return { world, owner: await world.owner() };
}

describe('A connector', () => {
  it('names its issuer in every answer, so that a client is not mixed up between two', async (t) => {
    const { owner } = await createOwner(t);
    const asked = authorization();
    const allowed = await allow(owner, asked.query);
    const denied = jsonOf(await owner.post('/consents/deny', { query: authorization().query }));
    for (const url of [allowed, new URL(String(denied['location']))]) {
      assert.equal(url.searchParams.get('iss'), `${PUBLIC}/oauth`);
      assert.equal(url.origin + url.pathname, REDIRECT);
    }
    assert.equal(new URL(String(denied['location'])).searchParams.get('error'), 'access_denied');
  });

  it('takes a decision from a page of the app alone, and from nobody who is not signed in', async (t) => {
    const { world, owner } = await createOwner(t);
    const body = { query: authorization().query, ...CHOICE };
    const foreign = await owner.post('/consents', body, { origin: 'https://evil.example' });
    assert.equal(foreign.status, 403);
    const cross = await owner.post('/consents', body, { 'sec-fetch-site': 'cross-site' });
    assert.equal(cross.status, 403);
    const stranger = world.browser({ origin: PUBLIC });
    for (const path of ['/consents', '/consents/look', '/consents/deny'])
      assert.equal((await stranger.post(path, body)).status, 401, path);
    assert.deepEqual(listOf(await owner.get('/grants')), []);
    assert.deepEqual(world.fetched, []);
  });

  it('allows nothing if another account has signed in since the page was shown', async (t) => {
    const world = await createConnectWorld(t);
    const owner = await world.owner('bo');
    const { query } = authorization();
    const shown = await owner.post('/consents', { query, ...CHOICE, account: 'ana' });
    assert.equal(shown.status, 409, shown.text);
    assert.deepEqual(listOf(await owner.get('/grants')), []);
    assert.equal((await owner.post('/consents', { query, ...CHOICE, account: 'bo' })).status, 200);
  });

  it('redeems a code once, and a second use ends the grant', async (t) => {
    const { world, owner } = await createOwner(t);
    const asked = authorization();
    const back = await allow(owner, asked.query);
    const { access_token } = readTokens(await exchange(world, asked, back));
    assert.equal(jsonOf(await exchange(world, asked, back))['error'], 'invalid_grant');
    assert.equal((await callTool(world, access_token, 'list_memories')).status, 401);
    assert.deepEqual(listOf(await owner.get('/grants')), []);
  });

  it('redeems a code only with the verifier, the client and the redirect address that it belongs to', async (t) => {
    const { world, owner } = await createOwner(t);
    const other = 'https://other.example/client.json';
    world.documents.set(other, {
      client_id: other,
      client_name: 'Other',
      redirect_uris: [REDIRECT],
    });
    const asked = authorization();
    const back = await allow(owner, asked.query);
    for (const wrong of [
      { code_verifier: 'x'.repeat(43) },
      { code_verifier: '' },
      { client_id: other },
      { redirect_uri: `${REDIRECT}/x` },
      { resource: 'https://other.example/mcp' },
      { redirect_uri: undefined },
    ]) {
      const { status } = await exchange(world, asked, back, wrong);
      assert.ok(status === 400 || status === 401, `${JSON.stringify(wrong)}: ${status}`);
    }
  });

  it('redeems nothing for a client that has a key, without a new proof that this key has signed', async (t) => {
    const { world, owner } = await createOwner(t);
    const [own, other] = [createProver(), createProver()];
    const jwks = { keys: [own.jwk] };
    const method = { token_endpoint_auth_method: 'private_key_jwt' };
    world.documents.set(DOCUMENT_URL, describeClient({ ...method, jwks }));
    const asked = authorization();
    const back = await allow(owner, asked.query);
    const audience = `${PUBLIC}/oauth`;
    for (const wrong of [
      {},
      other.prove(audience),
      own.prove('https://other.example'),
      own.prove(audience, { exp: Math.floor(Date.now() / 1000) - 60 }),
      own.prove(audience, { sub: 'https://other.example/client.json' }),
    ]) {
      assert.match(String((await exchange(world, asked, back, wrong)).status), /^40[01]$/);
    }
    const proof = own.prove(audience);
    const { refresh_token } = readTokens(await exchange(world, asked, back, proof));
    for (const wrong of [{}, proof, other.prove(audience)])
      assert.equal((await refresh(world, refresh_token, wrong)).status, 401);
    readTokens(await refresh(world, refresh_token, own.prove(audience)));
  });

  it('redeems one of two requests that use a code or a refresh token at once, and never both', async (t) => {
    const { world, owner } = await createOwner(t);
    const asked = authorization();
    const back = await allow(owner, asked.query);
    const both = await Promise.all([exchange(world, asked, back), exchange(world, asked, back)]);
    assert.ok(both.filter(({ status }) => status === 200).length <= 1);
    const { refresh_token } = await connect(world, owner);
    const two = await Promise.all([refresh(world, refresh_token), refresh(world, refresh_token)]);
    assert.ok(two.filter(({ status }) => status === 200).length <= 1);
    for (const { status, text } of [...both, ...two]) assert.ok(status < 500, text);
  });

  it('ends the grant if a refresh token is used twice', async (t) => {
    const { world, owner } = await createOwner(t);
    const first = await connect(world, owner);
    const second = readTokens(await refresh(world, first.refresh_token));
    assert.equal(jsonOf(await refresh(world, first.refresh_token))['error'], 'invalid_grant');
    for (const { access_token } of [first, second])
      assert.equal((await callTool(world, access_token, 'list_memories')).status, 401);
    assert.equal((await refresh(world, second.refresh_token)).status, 400);
  });

  it('sends no code to an address that is not exactly one of the client’s', async (t) => {
    const { owner } = await createOwner(t);
    for (const redirect_uri of [
      'https://evil.example/callback',
      `${REDIRECT}/`,
      `${REDIRECT}?next=x`,
      'https://assistant.example.evil.example/callback',
      'https://assistant.example@evil.example/callback',
      REDIRECT.replace('https', 'http'),
      REDIRECT.toUpperCase(),
    ]) {
      const { query } = authorization({ redirect_uri });
      const looked = jsonOf(await owner.post('/consents/look', { query }));
      assert.deepEqual([looked['client'], looked['back']], [null, null], redirect_uri);
      assert.equal((await owner.post('/consents', { query, ...CHOICE })).status, 422);
    }
  });

  it(
    'registers no client with an address that a browser runs, or without TLS',
    registersNone([
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'http://client.example/callback',
      'https://user:pass@client.example/callback',
      'https://client.example/callback#x',
      'not an address',
    ]),
  );

  it(
    'registers no client with an address that a program hands on to a browser',
    registersNone([
      'microsoft-edge:https://evil.example/cb',
      'googlechromes://evil.example/cb',
      'x-safari-https://evil.example/cb',
      'firefox://open-url?url=https%3A%2F%2Fevil.example',
      'other://open?url=https%3A%2F%2Fevil.example',
      'other://open?url=h%74tps%3A%2F%2Fevil.example',
      'other://open?url=HTTPS%253a%252F%252Fevil.example',
      'com.example.other:/open?url=%2568ttp%25253Aevil.example',
      'intent://evil.example/#Intent',
      'ms-word:ofe|u|https://evil.example',
      'search-ms:query=x',
      'feed:https://evil.example',
      'callto:evil',
      'facetime:me@evil.example',
      'whatsapp://send',
      'unknown:evil.example/cb',
    ]),
  );

  it(
    'registers no client with an address whose program connects to its host or sends a message',
    registersNone([
      'samsunginternet://evil.example/cb',
      'webcal://evil.example/cb',
      'smb://evil.example/cb',
      'rtsp://evil.example/cb',
      'ldap://evil.example/cb',
      'davs://evil.example/cb',
      'viber://forward?text=x',
      'steam://openurl/evil.example',
    ]),
  );

  it(
    'registers no client with an address at which a message would be written',
    registersNone(['mailto:me@evil.example', 'sms:+15550100', 'tel:+15550100']),
  );

  it('shows all of an address that is not https, and does not say that it leads to a program here', async (t) => {
    const { world, owner } = await createOwner(t);
    for (const [uri, redirect, isLocal] of [
      ['cursor://anysphere.cursor/cb?x=1', 'cursor://anysphere.cursor/cb?x=1', false],
      ['com.example.notes:/cb', 'com.example.notes:/cb', false],
      ['http://127.0.0.1:1234/cb', '127.0.0.1:1234', true],
      ['https://client.example/cb', 'client.example', false],
    ] as const) {
      const { client_id } = jsonOf(await register(world, uri));
      const { query } = authorization({ client_id: String(client_id), redirect_uri: uri });
      const { client } = jsonOf(await owner.post('/consents/look', { query }));
      const shown = client as { readonly redirect: string; readonly is_local: boolean };
      assert.deepEqual([shown.redirect, shown.is_local], [redirect, isLocal]);
      assert.ok((await allow(owner, query)).href.startsWith(uri));
    }
  });

  it('says what is wrong with a request for tokens in the address', async (t) => {
    const { owner } = await createOwner(t);
    const { query } = authorization({ response_type: 'token' });
    const { problem } = jsonOf(await owner.post('/consents/look', { query }));
    assert.match(String(problem), /unsupported_response_type/);
  });

  it('shows no name that is invisible, leaves its quotation marks, or is a part of a character', async (t) => {
    const { world, owner } = await createOwner(t);
    for (const [client_name, shown] of [
      ['Cla\u200bude\u00ad', 'Claude'],
      ['\u3164\u3164', 'Unnamed client'],
      ['\u{e0041}\u{e0042}', 'Unnamed client'],
      ['\u2800', 'Unnamed client'],
      ['Claude” is safe. “', "Claude' is safe. '"],
      ['\u202eedualC', 'Unnamed client'],
      [`${'x'.repeat(79)}😀y`, `${'x'.repeat(79)}😀`],
      ['x\ud83d', 'x\ufffd'],
      ['כלוד', 'כלוד'],
    ]) {
      const { client_id } = jsonOf(await register(world, REDIRECT, client_name));
      const { query } = authorization({ client_id: String(client_id) });
      const { client } = jsonOf(await owner.post('/consents/look', { query }));
      assert.equal((client as { name?: unknown } | null)?.name, shown, JSON.stringify(client_name));
    }
  });

  it('answers by an address with a query, whatever mode a client wants', async (t) => {
    const { owner } = await createOwner(t);
    for (const response_mode of ['form_post', 'fragment', 'jwt']) {
      const { query } = authorization({ response_mode });
      assert.ok((await allow(owner, query)).searchParams.has('code'), response_mode);
      const denied = jsonOf(await owner.post('/consents/deny', { query }));
      assert.match(String(denied['location']), /\?error=access_denied/);
    }
  });

  it('accepts no request without PKCE, or with the plain method', async (t) => {
    const { owner } = await createOwner(t);
    for (const more of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
      { response_type: 'token' },
    ]) {
      const { query } = authorization(more);
      const looked = jsonOf(await owner.post('/consents/look', { query }));
      assert.equal(looked['client'], null, JSON.stringify(more));
      assert.equal((await owner.post('/consents', { query, ...CHOICE })).status, 422);
    }
    assert.deepEqual(listOf(await owner.get('/grants')), []);
  });

  it('issues tokens for its own address alone, and takes no others', async (t) => {
    const { world, owner } = await createOwner(t);
    const { query } = authorization({ resource: 'https://other.example/mcp' });
    const looked = jsonOf(await owner.post('/consents/look', { query }));
    assert.match(String(looked['problem']), /the resource has to be https:\/\/memories\.example/);
    const { access_token } = await connect(world, owner);
    engine.edit(world.database, `UPDATE grants SET resource = 'https://old.example/mcp/connect'`);
    assert.equal((await callTool(world, access_token, 'list_memories')).status, 401);
  });

  it('takes a token in its header alone, and at its own address alone', async (t) => {
    const world = await createConnectWorld(t);
    const { access_token } = await connect(world, await world.owner());
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const refused = [
      world.ask('POST', `/mcp/connect?access_token=${access_token}`, { json }),
      world.ask('POST', '/mcp/connect', { json, headers: { cookie: `token=${access_token}` } }),
      world.ask('POST', '/mcp/connect', { json, headers: { 'x-api-key': access_token } }),
      world.ask('POST', '/mcp/connect', { json, headers: { 'x-api-key': world.keys.ana } }),
      world.ask('POST', '/mcp/connect', {
        json,
        headers: { authorization: `Bearer ${world.keys.ana}` },
      }),
      world.ask('POST', '/mcp', { json, headers: { authorization: `Bearer ${access_token}` } }),
      world.ask('GET', '/v1/memories', { headers: { authorization: `Bearer ${access_token}` } }),
    ];
    for (const { status } of await Promise.all(refused)) assert.equal(status, 401);
  });

  it('stores tokens as hashes alone', async (t) => {
    const world = await createConnectWorld(t);
    const tokens = await connect(world, await world.owner());
    const rows = JSON.stringify(engine.edit(world.database, 'SELECT * FROM grant_tokens'));
    for (const token of Object.values(tokens).filter((each) => /^[\w-]{43}$/.test(each))) {
      assert.ok(!rows.includes(token));
      assert.ok(rows.includes(hashSecret(token)));
    }
    assert.equal(hashSecret('x'), hash('sha256', 'x'));
  });

  it('lets no page frame the decision, and tells no other site its address', async (t) => {
    const world = await createConnectWorld(t);
    const page = await world.ask('GET', `/app/consent?${authorization().query}`);
    assert.equal(page.status, 200);
    assert.match(page.headers['content-security-policy'] ?? '', /frame-ancestors 'none'/);
    assert.equal(page.headers['referrer-policy'], 'no-referrer');
  });

  it('leads a browser from the authorization endpoint to its own page alone, and stores and fetches nothing', async (t) => {
    const world = await createConnectWorld(t);
    for (const query of [
      authorization().query,
      authorization({ redirect_uri: 'https://evil.example/' }).query,
      authorization({ client_id: 'https://10.0.0.1/x' }).query,
      'redirect_uri=https://evil.example/',
    ]) {
      const { status, headers } = await world.ask('GET', `/oauth/authorize?${query}`);
      assert.equal(status, 303);
      assert.ok(headers['location']?.startsWith(`${PUBLIC}/app/consent?`));
      assert.equal(headers['set-cookie'], undefined);
    }
    assert.deepEqual(world.fetched, []);
    const long = await world.ask('GET', `/oauth/authorize?${'x'.repeat(5000)}`);
    assert.equal(long.status, 414);
  });

  it('fetches no document for a stranger at the token endpoint', async (t) => {
    const world = await createConnectWorld(t);
    const client_id = 'https://victim.example/client.json';
    for (const form of [
      { grant_type: 'authorization_code', code: 'x', client_id },
      { grant_type: 'refresh_token', refresh_token: 'x', client_id },
    ])
      assert.equal((await world.ask('POST', '/oauth/token', { form })).status, 401);
    assert.equal(
      (await world.ask('POST', '/oauth/revoke', { form: { token: 'x', client_id } })).status,
      401,
    );
    assert.deepEqual(world.fetched, []);
  });

  it('fetches no keys of a client for a stranger, also if an owner has looked at its request', async (t) => {
    const world = await createConnectWorld(t);
    const jwks_uri = 'https://assistant.example/keys.json';
    const prover = createProver();
    const method = { token_endpoint_auth_method: 'private_key_jwt' };
    world.documents.set(DOCUMENT_URL, describeClient({ ...method, jwks_uri }));
    world.documents.set(jwks_uri, { keys: [prover.jwk] });
    const asked = authorization();
    const back = await allow(await world.owner(), asked.query);
    const proof = () => prover.prove(`${PUBLIC}/oauth`);
    const form = { grant_type: 'refresh_token', refresh_token: 'x', ...proof() };
    const refused = await world.ask('POST', '/oauth/token', { form });
    assert.deepEqual([refused.status, jsonOf(refused)['error']], [400, 'invalid_grant']);
    const nothing = await world.ask('POST', '/oauth/revoke', { form: { token: 'x', ...proof() } });
    assert.equal(nothing.status, 200);
    assert.ok(!world.fetched.includes(jwks_uri));
    readTokens(await exchange(world, asked, back, proof()));
    assert.ok(world.fetched.includes(jwks_uri));
  });

  it('says why a document cannot be fetched in the log alone', async (t) => {
    const world = await createConnectWorld(t, {
      fetchDocument: () => Promise.reject(new Error('getaddrinfo ENOTFOUND printer.example')),
    });
    const owner = await world.owner();
    const looked = await owner.post('/consents/look', { query: authorization().query });
    assert.match(String(jsonOf(looked)['problem']), /document fetch failed/);
    assert.doesNotMatch(looked.text, /ENOTFOUND/);
    const entry = world.log.find(({ message }) => /document of an OAuth client/.test(message));
    assert.match(String(entry?.fields['err']), /ENOTFOUND printer\.example/);
  });

  it('limits how many clients an address registers in an hour', async (t) => {
    const world = await createConnectWorld(t);
    for (let count = 0; count < 20; count++)
      assert.equal((await register(world, REDIRECT)).status, 201);
    const refused = await register(world, REDIRECT);
    assert.equal(refused.status, 429);
    assert.match(refused.headers['retry-after'] ?? '', /^\d+$/);
  });

  it('lets few strangers use up the registrations of nobody else', () => {
    const count = createCountRegistration();
    const isRefused = (address: string) => {
      try {
        count(address);
        return false;
      } catch {
        return true;
      }
    };
    for (let i = 0; i < 200; i++) assert.equal(isRefused(`10.0.0.${i % 10}`), false);
    assert.deepEqual(['10.0.0.1', '10.9.9.9', '10.9.9.9', '10.9.9.9'].map(isRefused), [
      true,
      false,
      false,
      true,
    ]);
  });

  it('ends a grant if its client revokes a token, and no other client’s', async (t) => {
    const { world, owner } = await createOwner(t);
    const { access_token, refresh_token } = await connect(world, owner);
    const registered = jsonOf(await register(world, REDIRECT));
    const foreign = { token: refresh_token, client_id: String(registered['client_id']) };
    await world.ask('POST', '/oauth/revoke', { form: foreign });
    assert.equal((await callTool(world, access_token, 'list_memories')).status, 200);
    const own = { token: refresh_token, client_id: 'https://assistant.example/client.json' };
    assert.equal((await world.ask('POST', '/oauth/revoke', { form: own })).status, 200);
    assert.equal((await callTool(world, access_token, 'list_memories')).status, 401);
  });

  it('reads the account of the owner who has allowed it, and no other', async (t) => {
    const world = await createConnectWorld(t);
    const { access_token } = await connect(world, await world.owner('bo'), { account: 'bo' });
    const listed = await callTool(world, access_token, 'list_memories');
    assert.match(listed.text, /Memory two/);
    assert.doesNotMatch(listed.text, /Memory one/);
    const ana = await world.owner('ana');
    assert.deepEqual(listOf(await ana.get('/grants')), []);
  });

  it('keeps the root free of metadata, and /mcp without a word of OAuth', async (t) => {
    const world = await createConnectWorld(t);
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/register',
      '/oauth/jwks',
      '/oauth/auth',
    ])
      assert.equal((await world.ask('GET', path)).status, 404, path);
    for (const name of ['toString', 'constructor', '__proto__', 'valueOf', '', 'token/'])
      assert.equal((await world.ask('POST', `/oauth/${name}`)).status, 404, name);
    const plain = await world.ask('POST', '/mcp', { json: {} });
    assert.equal(plain.headers['www-authenticate'], 'Bearer');
  });
});
