// embed, and --embeddings of import and watch: vectors are made, continued and removed, and texts go nowhere else.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { embedAccount } from '../../src/embeddings/embed-account.ts';
import { createEndpoint, type Endpoint } from '../../src/embeddings/endpoint.ts';
import { startEndpoint, type Behaviour } from '../support/embeddings/endpoint.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { run, startProcess, stop } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

async function createEmbed(t: TestContext, behaviour: Partial<Behaviour> = {}) {
  const endpoint = await startEndpoint(behaviour);
  t.after(() => endpoint.close());
  const world = await createWorld(t);
  world.addAccount('ana', memories(3));
  world.addAccount('bo', memories(2));
  const how = ['--embeddings', endpoint.url, '--embeddings-model', 'test'];
  const embed = (...args: string[]) => run(['embed', ...args, '--database', world.database]);
  return { world, endpoint, how, embed };
}

describe('embed', () => {
  it('makes the vectors of all accounts, and none a second time', async (t) => {
    const { endpoint, how, embed } = await createEmbed(t);
    const { code, stdout, stderr } = await embed(...how);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(
      stdout,
      '5 memories have got vectors of test.\nana: 3 of 3 memories have vectors.\nbo: 2 of 2 memories have vectors.\n',
    );
    const sent = endpoint.received.length;
    const again = await embed(...how, '--json');
    assert.deepEqual(JSON.parse(again.stdout), {
      model: 'test',
      made: 0,
      accounts: [
        { id: 'ana', memories: 3, embedded: 3 },
        { id: 'bo', memories: 2, embedded: 2 },
      ],
    });
    assert.equal(endpoint.received.length, sent);
  });

  it('makes those of one account, and removes them with --off', async (t) => {
    const { how, embed } = await createEmbed(t);
    await embed(...how, '--account', 'ana');
    const removed = await embed('--off', '--account', 'ana', '--json');
    assert.deepEqual(JSON.parse(removed.stdout), { removed: 3 });
    const rest = await embed('--off');
    assert.equal(rest.stdout, 'The vectors of 0 memories are removed.\n');
  });

  it('keeps what was made when the endpoint fails, and says what to check', async (t) => {
    const { world, endpoint, how, embed } = await createEmbed(t);
    await embed(...how, '--account', 'bo');
    endpoint.status = 503;
    const { code, stderr } = await embed(...how);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^memory-gateway: The embeddings endpoint at http:\/\/127\.0\.0\.1:\d+ responded with status 503; check that it runs and has the model test\.$/m,
    );
    assert.equal(
      world.writer.vectors.coverage({ account_id: 'bo', model: 'test', cut: 1 }).embedded,
      2,
    );
  });

  it('goes on without a memory whose texts the endpoint refuses, and names it', async (t) => {
    const { world, endpoint, how, embed } = await createEmbed(t, { refuses: 'too long' });
    world.writer.memories.put('bo', memory({ id: 'long', transcript: 'Bo: It is too long.' }));
    const { code, stdout, stderr } = await embed(...how);
    assert.equal(code, 1);
    assert.match(stdout, /^5 memories have got vectors of test\.\n.*\nbo: 2 of 3 memories/);
    assert.match(
      stderr,
      /^The embeddings endpoint refuses the texts of 1 memory, such as long; .* larger context/m,
    );
    const again = await embed(...how, '--json');
    assert.deepEqual((JSON.parse(again.stdout) as { refused: string[] }).refused, ['long']);
    endpoint.refuses = undefined;
    assert.equal((await embed(...how)).code, 0);
  });

  it('sends a text once more alone if it is refused, and not again and again', async (t) => {
    const { world, endpoint, how, embed } = await createEmbed(t, { refusal: 400 });
    world.writer.memories.put('bo', memory({ id: 'a', name: '', transcript: 'Bo: Too long.' }));
    endpoint.refuses = 'Too long';
    const { code, stderr } = await embed(...how, '--account', 'bo');
    assert.equal(code, 1);
    assert.match(stderr, /refuses the texts of 1 memory, such as a;/);
    const sent = endpoint.received.filter(({ body }) => body.input.join().includes('Too long'));
    assert.equal(sent.length, 2);
  });

  it('waits as long as a busy endpoint asks, but not for more than a minute', async (t) => {
    const { world, endpoint, how, embed } = await createEmbed(t, { status: 429, retryAfter: '1' });
    const [, url = '', , model = ''] = how;
    const made = embedAccount({
      writer: world.writer,
      endpoint: createEndpoint({ url, model }),
      account_id: 'bo',
      firstDelayMs: 1,
    });
    while (endpoint.received.length === 0) await setTimeout(5);
    await setTimeout(200);
    endpoint.status = 200;
    assert.equal(await made, 2);
    Object.assign(endpoint, { status: 429, retryAfter: '120' });
    endpoint.received.length = 0;
    const { code, stderr } = await embed(...how);
    assert.equal(code, 1);
    assert.match(stderr, /responded with status 429; try again in 120 s\.$/m);
    assert.equal(endpoint.received.length, 1);
  });

  it('takes no memory for refused because the endpoint was busy', async (t) => {
    const { world, endpoint, how } = await createEmbed(t, { refuses: 'words', refusal: 429 });
    const [, url = '', , model = ''] = how;
    world.writer.memories.put('bo', memory({ id: 'long', transcript: 'Bo: Many words.' }));
    const refused: string[] = [];
    const made = embedAccount({
      writer: world.writer,
      endpoint: createEndpoint({ url, model }),
      account_id: 'bo',
      firstDelayMs: 1,
      onRefused: (id) => refused.push(id),
    });
    await assert.rejects(made, /responded with status 429; try again later\.$/);
    assert.deepEqual(refused, []);
    assert.ok(endpoint.received.length > 0);
  });

  it('sends a slow endpoint as few texts at a time as it can take', async (t) => {
    const { world, how } = await createEmbed(t, { msPerText: 250 });
    const [, url = '', , model = ''] = how;
    const transcript = Array.from({ length: 4 }, (_, i) => `Bo: ${i} ${'and on '.repeat(120)}`);
    world.writer.memories.put('bo', memory({ id: 'long', transcript: transcript.join('\n') }));
    const made = embedAccount({
      writer: world.writer,
      endpoint: createEndpoint({ url, model }),
      account_id: 'bo',
      timeoutMs: 1500, // four texts are possible, and all of them are not
    });
    assert.equal(await made, 3);
  });

  it('mixes no vectors of two lengths if the endpoint gets another model during the first run', async (t) => {
    const { world } = await createEmbed(t);
    let calls = 0;
    const endpoint: Endpoint = {
      model: 'test',
      origin: 'http://127.0.0.1:9',
      embed: async (texts) => {
        calls++;
        return texts.map(() => Array.from({ length: calls < 8 ? 8 : 16 }, () => 1));
      },
    };
    world.addAccount('cleo', memories(40));
    const made = embedAccount({ writer: world.writer, endpoint, account_id: 'cleo' });
    await assert.rejects(made, /sends vectors of 16 numbers, but those of test in the database/);
  });

  it('says what to do about a status', async (t) => {
    const { endpoint, how } = await createEmbed(t);
    const [, url = '', , model = ''] = how;
    for (const [status, advice] of [
      [307, 'give the address that it leads to, because no redirect is followed'],
      [401, 'put its key into MEMORY_GATEWAY_EMBEDDINGS_KEY'],
      [404, 'check the address, which mostly ends with /v1, and the model'],
      [429, 'try again later'],
    ] as const) {
      endpoint.status = status;
      await assert.rejects(createEndpoint({ url, model }).embed(['a'], 5000), {
        name: 'Refusal',
        message: `The embeddings endpoint at ${new URL(url).origin} responded with status ${status}; ${advice}.`,
      });
    }
  });

  it('takes no vectors that are numbered wrongly, because they may be of other texts', async (t) => {
    const { endpoint, how } = await createEmbed(t);
    const [, url = '', , model = ''] = how;
    const created = createEndpoint({ url, model });
    const one = (first: number) => Array.from({ length: 8 }, (_, i) => first + i);
    const reply = (...indexes: (number | undefined)[]) =>
      JSON.stringify({ data: indexes.map((index, i) => ({ index, embedding: one(i) })) });
    for (const indexes of [
      [0, 0],
      [1, 2],
      [0, undefined],
      [undefined, 1],
    ]) {
      endpoint.reply = reply(...indexes);
      await assert.rejects(created.embed(['a', 'b'], 5000), /numbered its vectors wrongly/);
    }
    endpoint.reply = reply(1, 0);
    assert.deepEqual(await created.embed(['a', 'b'], 5000), [one(1), one(0)]);
    endpoint.reply = reply(undefined, undefined);
    assert.deepEqual(await created.embed(['a', 'b'], 5000), [one(0), one(1)]);
  });

  it('waits once for an endpoint that never responds, and says for how long', async (t) => {
    const { world, endpoint, how } = await createEmbed(t, { status: 0 });
    const [, url = '', , model = ''] = how;
    const made = embedAccount({
      writer: world.writer,
      endpoint: createEndpoint({ url, model }),
      account_id: 'ana',
      firstDelayMs: 1,
      timeoutMs: 200,
    });
    await assert.rejects(made, {
      name: 'Refusal',
      message: `The embeddings endpoint at ${new URL(url).origin} did not respond within 0.2 s; check that it runs and has the model test.`,
    });
    assert.equal(endpoint.received.length, 1);
  });

  it('sends nothing to a host that is not this machine, unless it is allowed', async (t) => {
    const { embed } = await createEmbed(t);
    const model = ['--embeddings-model', 'test'];
    for (const host of ['192.0.2.1', 'memories.example', '[2001:db8::1]', '127.0.0.1.example']) {
      const { code, stderr } = await embed('--embeddings', `http://${host}:9/v1`, ...model);
      assert.equal(code, 2);
      assert.match(
        stderr,
        /which is not this machine\. If you want that, pass --embeddings-allow-host/,
      );
    }
    const { stderr } = await embed('--embeddings', 'ftp://127.0.0.1', ...model);
    assert.match(stderr, /takes a URL such as http:\/\/127\.0\.0\.1:11434\/v1/);
    const without = await embed('--embeddings', 'http://127.0.0.1:9');
    assert.match(without.stderr, /--embeddings needs --embeddings-model NAME/);
    assert.match((await embed()).stderr, /Give --embeddings URL with your endpoint, or --off/);
  });

  it('takes the key from the environment, sends it in a header and prints it nowhere', async (t) => {
    const { world, endpoint, how } = await createEmbed(t);
    const env = { MEMORY_GATEWAY_EMBEDDINGS_KEY: 'sesame-open' };
    const args = ['embed', ...how, '--database', world.database];
    const { stdout, stderr } = await run(args, { env });
    assert.doesNotMatch(stdout + stderr, /sesame/);
    assert.ok(
      endpoint.received.every(({ headers }) => headers.authorization === 'Bearer sesame-open'),
    );
    assert.ok(endpoint.received.length > 0);
  });
});

describe('import --embeddings', () => {
  it('makes vectors of what it imports', async (t) => {
    const { world, how } = await createEmbed(t);
    const file = join(newFolder(), 'one.json');
    writeFileSync(file, JSON.stringify([memory({ id: 'new' })]));
    const args = ['import', file, '--account', 'ana', ...how, '--database', world.database];
    const { code, stdout } = await run([...args, '--json']);
    assert.equal(code, 0);
    const { added, embedded } = JSON.parse(stdout) as Record<string, number>;
    assert.deepEqual([added, embedded], [1, 4]);
  });

  it('imports also if the endpoint fails, and says that vectors are missing', async (t) => {
    const { world, how } = await createEmbed(t, { status: 500 });
    const file = join(newFolder(), 'one.json');
    writeFileSync(file, JSON.stringify([memory({ id: 'new' })]));
    const args = ['import', file, '--account', 'ana', ...how, '--database', world.database];
    const { code, stdout, stderr } = await run([...args, '--json']);
    assert.equal(code, 0);
    assert.equal((JSON.parse(stdout) as { added: number }).added, 1);
    assert.match(
      stderr,
      /^Some memories have no vectors yet\. .*status 500.* Then run memory-gateway embed\.$/m,
    );
  });
});

describe('watch --embeddings', () => {
  it('makes vectors of what arrives', async (t) => {
    const { world, how } = await createEmbed(t);
    const folder = newFolder();
    writeFileSync(join(folder, 'one.json'), JSON.stringify([memory({ id: 'new' })]));
    const args = ['watch', folder, '--account', 'ana', '--once', '--settle', '0s', ...how];
    const { code } = await run([...args, '--database', world.database]);
    assert.equal(code, 0);
    const { embedded } = world.writer.vectors.coverage({
      account_id: 'ana',
      model: 'test',
      cut: 1,
    });
    assert.equal(embedded, 4);
  });

  it('looks for files while the vectors of others are made, and makes them all', async (t) => {
    const { world, how, endpoint } = await createEmbed(t, { msPerText: 50 });
    const folder = newFolder();
    const put = (name: string, ids: readonly string[]) =>
      writeFileSync(join(folder, name), JSON.stringify(ids.map((id) => memory({ id }))));
    put(
      'many.json',
      Array.from({ length: 40 }, (_, i) => `many-${i}`),
    );
    const often = ['--settle', '0s', '--interval', '1s'];
    const args = ['watch', folder, '--account', 'ana', ...often, ...how];
    const child = startProcess([...args, '--database', world.database]);
    t.after(() => stop(child, 'SIGKILL'));
    const embedded = () =>
      world.writer.vectors.coverage({ account_id: 'ana', model: 'test', cut: 1 });
    while (endpoint.received.length === 0) await setTimeout(20);
    put('late.json', ['late']);
    while (embedded().memories < 44) await setTimeout(20);
    assert.ok(embedded().embedded < 40);
    while (embedded().embedded < 44) await setTimeout(20);
    assert.equal(await stop(child, 'SIGINT'), 0);
  });

  it('has exit code 130 after Ctrl+C, also while the endpoint does not answer', async (t) => {
    const { world, how, endpoint } = await createEmbed(t, { status: 0 });
    const folder = newFolder();
    writeFileSync(join(folder, 'one.json'), JSON.stringify([memory({ id: 'new' })]));
    const args = ['watch', folder, '--account', 'ana', '--once', '--settle', '0s', ...how];
    const child = startProcess([...args, '--database', world.database]);
    t.after(() => stop(child, 'SIGKILL'));
    while (endpoint.received.length === 0) await setTimeout(20);
    assert.equal(await stop(child, 'SIGINT'), 130);
  });
});
