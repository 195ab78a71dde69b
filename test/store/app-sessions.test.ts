// The app's sessions, sign-in links and challenges: what finds them, how long they live, and what ends them.

import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';

import { hashSecret } from '../../src/store/app/access.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { engine } from '../support/engines/engine.ts';
import { createApp, setClock, AGENT, DAY, MINUTE } from '../support/world/app-store.ts';
import { run, startProcess as startProgram } from '../support/world/program.ts';

describe('A session', () => {
  it('is found by its token, opens its account, and is stored as a hash', async (t) => {
    const { app, database, signIn } = await createApp(t);
    const { token, session, find } = await signIn();
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(await find(), { session, account: { id: 'ana', name: 'Name of ana' } });
    for (const wrong of [`${token}x`, token.slice(1), '', `${token}\0`])
      assert.equal(await app.sessions.find(hashSecret(wrong)), undefined);
    assert.equal(await app.sessions.find(token), undefined, 'the hash counts');
    const [row] = engine.edit(database, 'SELECT * FROM sessions');
    assert.ok(!JSON.stringify(row).includes(token));
  });

  it('lives 30 days without use, 90 days in all, and 12 hours if it is short', async (t) => {
    const { app, signIn } = await createApp(t);
    const start = Date.now();
    const [long, short] = [await signIn(), await signIn('ana', true)];
    const isThere = async ({ find }: typeof long, after: number) => {
      setClock(t, start + after);
      return (await find()) !== undefined;
    };
    assert.ok(await isThere(short, DAY / 2 - MINUTE));
    assert.ok(!(await isThere(short, DAY / 2 + MINUTE)));
    assert.ok(await isThere(long, 30 * DAY - MINUTE));
    assert.ok(!(await isThere(long, 30 * DAY + MINUTE)));
    for (let day = 29; day < 90; day += 29) {
      assert.ok(await isThere(long, day * DAY));
      const found = await long.find();
      assert.ok(found);
      await app.sessions.seen(found.session);
    }
    assert.ok(await isThere(long, 90 * DAY - MINUTE));
    assert.ok(!(await isThere(long, 90 * DAY + MINUTE)));
  });

  it('notes its use at most once in ten minutes', async (t) => {
    const { app, signIn } = await createApp(t);
    const start = Date.now();
    const { find } = await signIn();
    const seenAfter = async (after: number) => {
      setClock(t, start + after);
      const before = await find();
      assert.ok(before);
      await app.sessions.seen(before.session);
      return (await find())?.session.seen_at;
    };
    const created = (await find())?.session.seen_at;
    assert.equal(await seenAfter(9 * MINUTE), created);
    assert.equal(await seenAfter(11 * MINUTE), start + 11 * MINUTE);
    assert.equal(await seenAfter(20 * MINUTE), start + 11 * MINUTE);
  });

  it('lives no longer if the clock is set back, and is not lost by that', async (t) => {
    const { app, signIn } = await createApp(t);
    const { session, find } = await signIn();
    setClock(t, session.created_at - 20 * DAY);
    const found = await find();
    assert.ok(found);
    await app.sessions.seen(found.session);
    assert.equal((await find())?.session.ends_at, session.created_at + 10 * DAY);
  });

  for (const [event, end] of Object.entries<
    (world: Awaited<ReturnType<typeof createApp>>, id: string) => unknown
  >({
    'its end in another process': async ({ open }, id) =>
      (await open()).sessions.end({ account_id: 'ana', id, agent: AGENT }),
    'the end of all sessions': ({ app }) =>
      app.sessions.endAll({ account_id: 'ana', agent: AGENT }),
    'the end of all others': ({ app }) =>
      app.sessions.endAll({ account_id: 'ana', except: 'another', agent: AGENT }),
    'a disabled account': ({ writer }) => writer.accounts.setDisabled('ana', true),
    'a deleted account': ({ writer }) => writer.eraseAccount('ana'),
    'a command that disables the account': ({ database }) =>
      run(['accounts', 'disable', 'ana', '--database', database]),
  }))
    it(`ends with ${event}, and no session of another account does`, async (t) => {
      const world = await createApp(t);
      const [mine, other] = [await world.signIn(), await world.signIn('bo')];
      assert.ok((await mine.find()) && (await other.find()));
      await end(world, mine.session.id);
      assert.equal(await mine.find(), undefined);
      assert.ok(await other.find());
    });

  it('does not come back when its account is enabled again', async (t) => {
    const { writer, app, signIn } = await createApp(t);
    const { find } = await signIn();
    const { secret } = await app.links.create('ana', AGENT);
    writer.accounts.setDisabled('ana', true);
    assert.equal(await app.links.look(secret), undefined);
    await assert.rejects(signIn(), /Account ana is disabled; enable it with: /);
    await assert.rejects(async () => app.links.create('ana', AGENT), /Account ana is disabled/);
    writer.accounts.setDisabled('ana', false);
    assert.equal(await find(), undefined);
    assert.equal(await app.links.use(secret), undefined);
  });

  it('stays when all others end', async (t) => {
    const { app, signIn } = await createApp(t);
    const [mine, other] = [await signIn(), await signIn()];
    const ended = await app.sessions.endAll({
      account_id: 'ana',
      except: mine.session.id,
      agent: AGENT,
    });
    assert.equal(ended, 1);
    assert.ok(await mine.find());
    assert.equal(await other.find(), undefined);
  });

  it('of another account cannot be listed or ended', async (t) => {
    const { app, signIn } = await createApp(t);
    const { session, find } = await signIn();
    assert.deepEqual(await app.sessions.list('bo'), []);
    assert.equal(await app.sessions.end({ account_id: 'bo', id: session.id, agent: AGENT }), false);
    assert.ok(await find());
    assert.deepEqual(await app.sessions.list('ana'), [session]);
  });

  it('that was not used for longest ends when an account gets its 21st', async (t) => {
    const { app, signIn } = await createApp(t);
    const start = Date.now();
    const all: Awaited<ReturnType<typeof signIn>>[] = [];
    for (let i = 0; i < 20; i++) {
      setClock(t, start + i * MINUTE);
      all.push(await signIn());
    }
    setClock(t, start + 60 * MINUTE);
    const [first, second] = all;
    assert.ok(first && second);
    await app.sessions.seen(first.session);
    const latest = await signIn();
    assert.ok(await first.find());
    assert.equal(await second.find(), undefined);
    assert.ok(await latest.find());
    assert.equal((await app.sessions.list('ana')).length, 20);
  });

  it('is not created for an account that does not exist', async (t) => {
    const { signIn } = await createApp(t);
    await assert.rejects(signIn('nobody'), /There is no account "nobody"/);
  });
});

describe('A sign-in link', () => {
  it('says whose it is without being used, and works once', async (t) => {
    const { app, database } = await createApp(t);
    const { secret, expires_at } = await app.links.create('ana', AGENT);
    const account = { id: 'ana', name: 'Name of ana' };
    assert.match(secret, /^[A-Za-z0-9_-]{43}$/);
    assert.ok(
      !JSON.stringify(engine.edit(database, 'SELECT * FROM sign_in_links')).includes(secret),
    );
    assert.deepEqual(await app.links.look(secret), { account, signed_in_at: null, expires_at });
    assert.deepEqual(await app.links.look(secret), { account, signed_in_at: null, expires_at });
    assert.deepEqual(await app.links.use(secret), { account, signed_in_at: null });
    assert.equal(await app.links.look(secret), undefined);
    assert.equal(await app.links.use(secret), undefined);
    assert.equal(await app.links.use('x'.repeat(43)), undefined);
  });

  it('works for ten minutes, also if the clock is set back', async (t) => {
    const { app } = await createApp(t);
    const start = Date.now();
    const links = await Promise.all(
      [1, 2, 3, 4].map(async () => (await app.links.create('ana', AGENT)).secret),
    );
    const [early = '', late = '', before = '', longBefore = ''] = links;
    const useAt = (secret: string, after: number) => {
      setClock(t, start + after);
      return app.links.use(secret);
    };
    assert.equal((await useAt(early, 10 * MINUTE - 1000))?.account.id, 'ana');
    assert.equal(await useAt(late, 10 * MINUTE + 1000), undefined);
    assert.equal((await useAt(before, -30_000))?.account.id, 'ana', 'a small correction');
    assert.equal(await useAt(longBefore, -DAY), undefined, 'its age is not known');
  });

  it('works for one of twenty who use it at the same time, in one process and in several', async (t) => {
    const { app, open } = await createApp(t);
    const others = [app, await open(), await open()];
    for (let round = 0; round < 5; round++) {
      const { secret } = await app.links.create('ana', AGENT);
      const used = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => others[i % others.length]?.links.use(secret)),
      );
      assert.deepEqual(
        used.filter((each) => each !== undefined).map(({ account }) => account.id),
        ['ana'],
      );
    }
  });

  it('works for one of twenty who use it at the same time in two other processes', async (t) => {
    const { app, database } = await createApp(t);
    const programs = await Promise.all(
      [1, 2].map(async () => {
        const script = 'test/support/processes/use-link-program.ts';
        const child = startProgram([appAddress(database)], { script });
        const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
        assert.equal((await lines.next()).value, 'ready');
        return { child, lines };
      }),
    );
    for (let round = 0; round < 5; round++) {
      const { secret } = await app.links.create('ana', AGENT);
      for (const { child } of programs) child.stdin.write(`${secret}\n`);
      const counts = await Promise.all(
        programs.map(async ({ lines }) => Number((await lines.next()).value)),
      );
      assert.equal(
        counts.reduce((sum, count) => sum + count),
        1,
      );
    }
    for (const { child } of programs) child.stdin.end();
  });

  it('ends when all sessions end', async (t) => {
    const { app } = await createApp(t);
    const { secret } = await app.links.create('ana', AGENT);
    const other = await app.links.create('bo', AGENT);
    await app.sessions.endAll({ account_id: 'ana', agent: AGENT });
    assert.equal(await app.links.use(secret), undefined);
    assert.equal((await app.links.use(other.secret))?.account.id, 'bo');
  });
});

describe('A challenge', () => {
  it('works once, within five minutes, and says which account it is for', async (t) => {
    const { app } = await createApp(t);
    const start = Date.now();
    const [one, two, late] = [
      await app.challenges.create('ana'),
      await app.challenges.create(null),
      await app.challenges.create(null),
    ];
    assert.match(one, /^[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(await app.challenges.use(one), { account_id: 'ana' });
    assert.equal(await app.challenges.use(one), undefined);
    const both = await Promise.all(Array.from({ length: 20 }, async () => app.challenges.use(two)));
    assert.deepEqual(
      both.filter((each) => each !== undefined),
      [{ account_id: null }],
    );
    setClock(t, start + 5 * MINUTE + 1000);
    assert.equal(await app.challenges.use(late), undefined);
  });

  it('does not pile up, whoever asks for how many', async (t) => {
    const { app, database } = await createApp(t);
    const count = () =>
      Number(engine.edit(database, 'SELECT count(*) AS n FROM challenges')[0]?.['n']);
    const rows = Array.from(
      { length: 20_005 },
      (_, i) => `('${String(i).padStart(43, '0')}', NULL, ${Date.now() + 1000 + i})`,
    );
    engine.edit(database, `INSERT INTO challenges VALUES ${rows.join()}`);
    const mine = await app.challenges.create(null);
    assert.equal(count(), 20_000);
    assert.ok(await app.challenges.use(mine));
    setClock(t, Date.now() + 10 * MINUTE);
    await app.challenges.create(null);
    assert.equal(count(), 1);
  });
});

describe('The log of an account', () => {
  it('has every sign-in and change, the latest first, by whom it was done', async (t: TestContext) => {
    const { app, writer, signIn } = await createApp(t);
    const of = { account_id: 'ana', agent: AGENT };
    await app.links.create('ana', AGENT);
    const { session } = await signIn();
    const key = await app.keys.create({ ...of, label: 'laptop', expires_at: null });
    await app.keys.rotate({ ...of, id: key.id, graceMs: 0 });
    writer.keys.create({ account_id: 'ana', label: 'by hand', expires_at: null });
    await app.sessions.end({ ...of, id: session.id });
    await app.sessions.end({ ...of, id: session.id });
    assert.deepEqual(
      (await app.events.list('ana')).map(({ kind, subject, agent }) => [kind, subject, agent]),
      [
        ['signed-out', '', AGENT],
        ['key-created', 'by hand', 'command line'],
        ['key-rotated', 'laptop', AGENT],
        ['key-created', 'laptop', AGENT],
        ['signed-in', 'link', AGENT],
        ['link-created', '', AGENT],
      ],
    );
    assert.deepEqual(await app.events.list('bo'), []);
  });

  it('keeps the latest 100 entries of each kind and account', async (t) => {
    const { app, writer } = await createApp(t);
    await app.links.create('ana', AGENT);
    writer.transaction(() => {
      for (let i = 0; i < 105; i++)
        writer.keys.create({ account_id: 'ana', label: `key ${i}`, expires_at: null });
    });
    await app.links.create('bo', AGENT);
    const events = await app.events.list('ana');
    assert.deepEqual(
      [events.length, events[0]?.subject, events.at(-2)?.subject, events.at(-1)?.kind],
      [101, 'key 104', 'key 5', 'link-created'],
    );
    assert.equal((await app.events.list('bo')).length, 1);
  });
});
