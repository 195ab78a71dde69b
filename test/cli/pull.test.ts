// pull and sources: the credential, a dry run, Ctrl-C, a failure between memories and state, and what is recorded.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';

import { engine, onlyFiles } from '../support/engines/engine.ts';
import { createProduct } from '../support/sources/fake-product.ts';
import { writesOf } from '../support/sources/kills.ts';
import { createLimitless } from '../support/sources/lifelogs.ts';
import { personalApis } from '../support/sources/personal-apis.ts';
import { recording, serveApi } from '../support/sources/product-api.ts';
import { memoriesOf, pull, pullArgs, SECRET, startPull } from '../support/sources/pulls.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';
import { createWorld } from '../support/world/world.ts';

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount('ana');
  const { product, source, lifelogs } = await createLimitless(t);
  const on = ['--database', world.database];
  const list = async () => {
    const { stdout } = await run(['sources', 'list', '--json', ...on]);
    return JSON.parse(stdout) as Readonly<Record<string, unknown>>[];
  };
  return { world, product, source, lifelogs, on, list };
}

describe('pull', () => {
  it('leaves out originals with --originals off, and keeps e-mail addresses with --emails keep', async (t) => {
    const { world } = await createAna(t);
    const at = '2026-11-18T09:00:00Z';
    const meeting = {
      recording_id: 1,
      title: 'Stand-up',
      created_at: at,
      recording_start_time: at,
      recording_end_time: at,
      calendar_invitees: [{ name: 'Mira Okafor', email: 'mira@memories.example' }],
      transcript: [{ speaker: { display_name: 'Henrik' }, text: 'It hums.' }],
    };
    const product = await createProduct(t, () => ({ body: { items: [meeting] } }));
    const { memories } = world.gateway.as('ana');
    const pulled = async (...options: string[]) => {
      const { code, stderr } = await pull(world, { name: 'fathom', url: product.url }, ...options);
      assert.equal(code, 0, stderr);
      const { people, original } = await memories.details({ memory_id: '1' });
      const emails = people.flatMap(({ email }) => email ?? []);
      return { emails, isKept: original !== null };
    };
    const emails = ['mira@memories.example'];
    assert.deepEqual(await pulled('--originals', 'off'), { emails: [], isKept: false });
    assert.deepEqual(await pulled('--emails', 'keep'), { emails, isKept: true });
    assert.deepEqual(await pulled(), { emails: [], isKept: true });
  });

  it('takes the credential from a file, from standard input or from the environment', async (t) => {
    const { world, source } = await createAna(t);
    const file = join(newFolder(), 'key');
    writeFileSync(file, `${SECRET}\n`);
    const args = pullArgs(world, source, '--credential-file');
    assert.equal((await run([...args, file])).code, 0);
    assert.equal((await run([...args, '-'], { input: SECRET })).code, 0);
    const env = { LIMITLESS_API_KEY: SECRET };
    assert.equal((await run(pullArgs(world, source), { env })).code, 0);
  });

  it('says which credential is missing or unusable, without showing it', async (t) => {
    const { world, source } = await createAna(t);
    const args = pullArgs(world, source);
    const none = await run(args);
    assert.deepEqual([none.code, none.stdout], [2, '']);
    assert.match(none.stderr, /Put the credential of limitless into LIMITLESS_API_KEY, or pass/);
    const input = `${SECRET}\nand more`;
    const odd = await run([...args, '--credential-file', '-'], { input });
    assert.equal(odd.code, 1);
    assert.match(odd.stderr, /The credential in standard input has characters that no credential/);
    assert.ok(!odd.stderr.includes(SECRET));
    const header = await run([...args, '--credential-file', '-'], {
      input: `X-API-Key: ${SECRET}`,
    });
    assert.match(header.stderr, /standard input begins with the name of a header; put the key alo/);
    assert.ok(!header.stderr.includes(SECRET));
    const missing = await run([...args, '--credential-file', '/nowhere/key']);
    assert.match(missing.stderr, /\/nowhere\/key cannot be read \(ENOENT\)/);
  });

  it('refuses a wrong source, account, time and address', async (t) => {
    const { world, source } = await createAna(t);
    const tried = async (args: readonly string[]) => {
      const { code, stderr } = await run([...args, '--database', world.database], {
        env: { LIMITLESS_API_KEY: SECRET, MEMORY_GATEWAY_SOURCE_KEY: SECRET },
      });
      return `${code} ${stderr}`;
    };
    const ana = ['--account', 'ana'];
    for (const [args, says] of [
      [['pull', ...ana], /^2 .*Give one SOURCE\./],
      [['pull', 'omega', ...ana], /^2 .*Unknown source "omega"\. Use one of: .*limitless/],
      [['pull', 'limitless', '--account', 'bo', '--url', source.url], /^1 .*no account "bo"/],
      [['pull', 'limitless', ...ana, '--since', 'soon'], /^2 .*--since takes a time such as/],
      [['pull', 'limitless', ...ana, '--url', 'file:///etc'], /^2 .*--url takes an address/],
      [
        ['pull', 'gateway', ...ana],
        /^2 .*Give --url URL: the source gateway has no address of its own/,
      ],
      [
        ['pull', 'gateway', ...ana, '--url', source.url, '--since', '2026-11-01'],
        /^2 .*gateway has a feed of changes; pull it without --since\./,
      ],
      [
        ['pull', 'limitless', ...ana, '--since', '2026-11-02', '--until', '2026-11-01'],
        /^2 .*--since must be before --until\./,
      ],
      [
        ['pull', 'limitless', ...ana, '--mirror', '--until', '2026-11-01'],
        /^2 .*--mirror compares everything; pass it without --since and --until\./,
      ],
    ] as const)
      assert.match(await tried(args), says);
  });

  it('fills the only account, and needs its name if there are several', async (t) => {
    const { world, source } = await createAna(t);
    const tried = () =>
      run(['pull', 'limitless', '--url', source.url, '--database', world.database], {
        env: { LIMITLESS_API_KEY: SECRET },
      });
    const only = await tried();
    assert.equal(only.code, 0, only.stderr);
    world.addAccount('bo');
    const several = await tried();
    assert.equal(several.code, 2);
    assert.match(several.stderr, /Give --account ACCOUNT, one of ana .*, bo/);
  });

  const day = '2026-11-18T09:00:00Z';
  const meeting = { recording_id: 7, title: 'Rain', created_at: day, recording_start_time: day };
  const listed = { id: 7, start_time: Date.parse(day), state: 'COMPLETED', summary: 'Rain.' };
  const unready: [name: string, path: string, ofTexts: (texts: readonly string[]) => object][] = [
    [
      'fathom',
      '/meetings',
      (texts) => {
        const turns = texts.map((each) => ({ speaker: { display_name: 'Mira' }, text: each }));
        const transcript = turns.length === 0 ? null : turns;
        return { items: [{ ...meeting, transcript }], next_cursor: null };
      },
    ],
    [
      'bee',
      '/v1/conversations/7',
      (texts) => {
        const utterances = texts.map((each) => ({ text: each, speaker: '0' }));
        const transcriptions = texts.length === 0 ? {} : { transcriptions: [{ utterances }] };
        return { conversation: { ...listed, ...transcriptions } };
      },
    ],
  ];
  for (const [name, path, body] of unready)
    it(`skips a recording of ${name} that has no transcript yet, and imports it when it has one`, async (t) => {
      const { world } = await createAna(t);
      const texts: string[] = [];
      const { url } = await createProduct(t, (request) => ({
        body: request.path === path ? body(texts) : { conversations: [listed], next_cursor: null },
      }));
      for (let round = 0; round < 2; round++) {
        const { code, stdout, stderr } = await pull(world, { name, url });
        assert.deepEqual([code, stderr], [0, '']);
        assert.match(
          stdout,
          /: 0 memories added, .* 0 rejected\.\n1 skipped: a recording without a t/,
        );
      }
      texts.push('It rains.');
      assert.match(
        (await pull(world, { name, url })).stdout,
        /: 1 memory added, .* 0 rejected\.\n(?!\d+ skipped)/,
      );
    });

  it('rejects a recording that its product cannot give, and imports the others', async (t) => {
    const { world } = await createAna(t);
    const api = personalApis.find(({ source }) => source.name === 'speakr');
    assert.ok(api);
    const product = await serveApi(t, api, [recording(1), recording(2)]);
    product.faults.set(2, { status: 400 }); // the details of the first of the list
    const pulled = await pull(world, { name: 'speakr', url: product.url });
    assert.equal(pulled.code, 1);
    assert.match(
      pulled.stdout,
      /: 1 memory added, 0 updated, 0 unchanged, 0 deleted, 1 rejected\./,
    );
    assert.match(
      pulled.stderr,
      /^2: speakr \(\S+\/recordings\/2\S*\) answered with status 400; pull with --mirror later to request it again\.$/m,
    );
  });

  it('imports everything from a day on with --since', async (t) => {
    const { world, product, source } = await createAna(t);
    await pull(world, source);
    await pull(world, source, '--since', '2026-11-01');
    assert.equal(product.requests.at(-2)?.query.get('start'), '2026-11-01 00:00:00');
  });

  it('writes nothing in a dry run, and says what it would import', async (t) => {
    const { world, source, list } = await createAna(t);
    const { code, stdout } = await pull(world, source, '--dry-run');
    assert.equal(code, 0);
    assert.match(stdout, /: 4 memories would be added, 0 would be updated/);
    assert.match(stdout, /\nNothing was written, because this was a dry run\.\n$/);
    assert.equal((await memoriesOf(world)).size, 0);
    assert.deepEqual(await list(), []);
  });

  it('stops by Ctrl-C with exit code 130, and the next run continues', async (t) => {
    const { world, product, source, list } = await createAna(t);
    const child = startPull(world, source);
    product.faults.set(2, () => child.kill('SIGINT'));
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    assert.equal(code, 130, stderr);
    assert.match(stdout, /: 2 memories added/);
    assert.match(stderr, /^Stopped\. Run the same command again to continue\.\n$/);
    assert.equal((await list())[0]?.['result'], 'interrupted');
    product.faults.clear();
    assert.match((await pull(world, source)).stdout, /: 2 memories added/);
    assert.equal((await memoriesOf(world)).size, 4);
  });

  it(
    'repeats a page if it fails after the memories and before the state',
    { skip: onlyFiles },
    async (t) => {
      const { world, source } = await createAna(t);
      const stop = `CREATE TRIGGER stop BEFORE UPDATE OF state ON sources BEGIN SELECT RAISE(ABORT, 'stopped')`;
      const Database = (await import('better-sqlite3')).default;
      const db = new Database(world.database);
      t.after(() => db.close());
      db.exec(`${stop}; END`);
      assert.notEqual((await pull(world, source)).code, 0);
      assert.equal((await memoriesOf(world)).size, 2);
      db.exec('DROP TRIGGER stop');
      assert.match(
        (await pull(world, source)).stdout,
        /: 2 memories added, 0 updated, 2 unchanged/,
      );
      assert.equal(writesOf(world), 4);
      const tracked = engine.edit(world.database, 'SELECT memory_id FROM source_memories');
      assert.equal(tracked.length, 4, 'the source knows the memories of the failed run, too');
    },
  );
});

describe('sources', () => {
  it('list shows when each last ran with what result, and no credential', async (t) => {
    const { world, product, source, on, list } = await createAna(t);
    await pull(world, source);
    product.faults.set(product.requests.length + 1, { status: 401 });
    const failed = await pull(world, source);
    assert.equal(failed.code, 1);
    const [row] = await list();
    const name = `limitless ${source.url}`;
    assert.deepEqual(
      [row?.['name'], row?.['result'], row?.['settings']],
      [name, 'failed', { source: 'limitless', url: source.url }],
    );
    assert.match(String(row?.['error']), /^limitless refuses the credential \(401\)/);
    assert.ok(String(row?.['succeeded_at']) < String(row?.['ended_at']));
    const { stdout } = await run(['sources', 'list', '--account', 'ana', ...on]);
    assert.match(stdout, /^ACCOUNT +SOURCE +LAST RUN +RESULT/);
    assert.match(stdout, /\nana +limitless http:\S+ +20\S+ \S+Z +failed .*limitless refuses/);
    assert.ok(!stdout.includes(SECRET));
  });

  it('forget makes the next run read everything again', async (t) => {
    const { world, product, source, on } = await createAna(t);
    await pull(world, source);
    const name = `limitless ${source.url}`;
    const forgotten = await run(['sources', 'forget', name, '--account', 'ana', ...on]);
    assert.deepEqual(
      [forgotten.code, forgotten.stdout],
      [0, `Source ${name} of account ana is forgotten.\n`],
    );
    assert.match((await pull(world, source)).stdout, /: 0 memories added, 0 updated, 4 unchanged/);
    assert.equal(product.requests.at(-1)?.query.get('start'), null);
    const again = await run(['sources', 'forget', 'omega', '--account', 'ana', ...on]);
    assert.deepEqual([again.code, /has no source "omega"/.test(again.stderr)], [1, true]);
  });
});
