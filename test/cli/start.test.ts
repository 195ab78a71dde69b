// start: from nothing to a link, and from an account to a sign-in link.

import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { backupJob } from '../../src/cli/serve/jobs/job.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createTestBrowser, jsonOf, listOf, type TestBrowser } from '../support/app/app-world.ts';
import { startEndpoint } from '../support/embeddings/endpoint.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { freePort } from '../support/world/free-port.ts';
import { ROOT, run, start, startProcess, stop, waitFor } from '../support/world/program.ts';

/** Starts in a folder, and returns the link that is printed on a line of its own. */
async function startIn(t: TestContext, folder: string, ...args: readonly string[]) {
  const port = await freePort();
  const program = start(['start', folder, '--port', String(port), ...args]);
  t.after(() => stop(program));
  const said = await waitFor(program, 'stdout', /Ctrl\+C/);
  const [, link = ''] = /^ {2}(http:\S+)$/m.exec(said) ?? [];
  const secret = issued(new URL(link).hash.slice(1));
  return { program, said, link: new URL(link), secret, browser: createTestBrowser({ port }) };
}

/** Names the account, and signs in. */
async function claimAndSignIn(browser: TestBrowser, secret: string): Promise<void> {
  const answer = await browser.post('/claims', { secret, name: 'Mira Okafor' });
  const signed = await browser.post('/sessions', {
    way: 'link',
    secret: issued(String(jsonOf(answer)['secret'])),
  });
  assert.equal(signed.status, 204);
  for (const token of browser.jar.values()) issued(token);
}

describe('start', () => {
  it('makes what is missing, and prints a link that names the account and signs in', async (t) => {
    const folder = join(newFolder(), 'new', 'home');
    const { link, secret, browser, program } = await startIn(t, folder);
    assert.equal(link.pathname, '/app/start');
    assert.ok(existsSync(join(folder, 'memory-gateway.db')));
    assert.ok(existsSync(join(folder, 'inbox')));
    assert.equal(statSync(folder).mode & 0o077, 0, 'for this user alone');
    await claimAndSignIn(browser, secret);
    const { account } = jsonOf(await browser.get('/me')) as {
      account: { id: string; name: string };
    };
    assert.equal(account.name, 'Mira Okafor');

    // Assistants of this machine start the program that runs now, which need not be on their PATH.
    const [claude] = listOf(await browser.get('/agents')).filter(
      (each) => (each as { client: string }).client === 'Claude Desktop',
    ) as { text: string }[];
    const { command } = JSON.parse(claude?.text ?? '').mcpServers.memories;
    assert.equal(command, '/usr/bin/memory-gateway', 'as the context of these tests says');

    const first = waitFor(program, 'stdout', /^Your first memory is there\.$/m);
    copyFileSync(
      join(ROOT, 'fixtures/samples/omi/from-000000.json'),
      join(folder, 'inbox/omi.json'),
    );
    await first;
    const list = await browser.get('/memories');
    assert.equal((JSON.parse(list.text) as { user_id: string }[])[0]?.user_id, account.id);
    assert.equal(await stop(program), 0);
  });

  it('searches by meaning with --embeddings, also what it imports', async (t) => {
    const endpoint = await startEndpoint({ synonyms: { physician: 'doctor' } });
    t.after(() => endpoint.close());
    const folder = newFolder();
    const how = ['--embeddings', endpoint.url, '--embeddings-model', 'test'];
    const { secret, browser, program } = await startIn(t, folder, ...how);
    await claimAndSignIn(browser, secret);
    const first = waitFor(program, 'stdout', /^Your first memory is there\.$/m);
    const visit = {
      id: 'visit',
      name: 'A visit',
      started_at: '2026-11-18T09:00:00Z',
      transcript: 'Ana: I saw my doctor.',
    };
    writeFileSync(join(folder, 'inbox/visit.json'), JSON.stringify(visit));
    await first;
    let found: Record<string, unknown> = {};
    for (let late = Date.now() + 20_000; found['mode'] !== 'meaning' && Date.now() < late;)
      found = jsonOf(await browser.get('/search?q=physician')); // vectors follow the memories
    assert.equal(found['mode'], 'meaning');
    assert.match(JSON.stringify(found['passages']), /I saw my doctor/);
    assert.equal(await stop(program), 0);
  });

  it('prints a sign-in link once there is an account, and none that claims the gateway', async (t) => {
    const folder = newFolder();
    const first = await startIn(t, folder);
    const { secret, browser } = first;
    issued(String(jsonOf(await browser.post('/claims', { secret, name: 'Mira' }))['secret']));
    await stop(first.program);
    const second = await startIn(t, folder);
    assert.equal(second.link.pathname, '/app/sign-in');
    assert.match(second.said, /sign in as Mira/);
    const old = await second.browser.post('/claims', { secret, name: 'Eve' });
    assert.equal(old.status, 401);
    const answer = await second.browser.post('/sessions', { way: 'link', secret: second.secret });
    assert.equal(answer.status, 204);
    for (const token of second.browser.jar.values()) issued(token);
  });

  it('prints another link after a restart, if nobody has used the first', async (t) => {
    const folder = newFolder();
    const first = await startIn(t, folder);
    await stop(first.program);
    const second = await startIn(t, folder);
    assert.equal(second.link.pathname, '/app/start');
    assert.notEqual(second.secret, first.secret);
    const old = await second.browser.post('/claims/look', { secret: first.secret });
    assert.equal(old.status, 401);
  });

  it('signs in to the gateway that serves the folder already, and serves it no second time', async (t) => {
    const folder = newFolder();
    const { program, link, secret, browser } = await startIn(t, folder);
    const unnamed = await run(['start', folder, '--no-open']);
    const said = `The folder ${folder} is served already at ${link.origin}.`;
    assert.deepEqual(unnamed, {
      code: 0,
      stdout: `${said} Open the link that it printed, or stop it and start again.\n`,
      stderr: '',
    });
    issued(String(jsonOf(await browser.post('/claims', { secret, name: 'Mira' }))['secret']));
    const again = await run(['start', folder, '--no-open']);
    assert.equal(again.code, 0, again.stderr);
    assert.ok(again.stdout.startsWith(`${said} Open this link to sign in as Mira.`));
    const [, other = ''] = /^ {2}(http:\S+)$/m.exec(again.stdout) ?? [];
    const signed = await browser.post('/sessions', {
      way: 'link',
      secret: issued(new URL(other).hash.slice(1)),
    });
    assert.equal(signed.status, 204);
    for (const token of browser.jar.values()) issued(token);
    await stop(program);

    // A process that was killed leaves its note.
    writeFileSync(join(folder, 'served.json'), JSON.stringify({ pid: 2 ** 22, url: link.origin }));
    const next = await startIn(t, folder);
    assert.equal(next.link.pathname, '/app/sign-in');
    assert.equal(await stop(next.program), 0);
    assert.ok(!existsSync(join(folder, 'served.json')));
  });

  it('runs on if who read its link has ended when the first memory arrives', async (t) => {
    const folder = newFolder();
    const port = await freePort();
    const program = startProcess(['start', folder, '--port', String(port)]);
    t.after(() => stop(program, 'SIGKILL'));
    const said = await waitFor(program, 'stdout', /Ctrl\+C/);
    const [, link = ''] = /^ {2}(http:\S+)$/m.exec(said) ?? [];
    program.stdout.destroy();
    const browser = createTestBrowser({ port });
    await claimAndSignIn(browser, issued(new URL(link).hash.slice(1)));
    copyFileSync(
      join(ROOT, 'fixtures/samples/omi/from-000000.json'),
      join(folder, 'inbox/omi.json'),
    );
    while (listOf(await browser.get('/memories')).length === 0) await setTimeout(20);
    await setTimeout(1000); // four looks for it
    assert.equal((await browser.get('/memories')).status, 200);
    assert.equal(await stop(program), 0);
  });

  it('says which port it serves on if the wanted one is in use', async (t) => {
    const { link } = await startIn(t, newFolder());
    const program = start(['start', newFolder(), '--no-open', '--port', link.port]);
    t.after(() => stop(program));
    const said = await waitFor(program, 'stdout', /Ctrl\+C/);
    const [, other = ''] = /^ {2}(http:\S+)$/m.exec(said) ?? [];
    issued(new URL(other).hash.slice(1));
    assert.ok(said.startsWith(`Port ${link.port} is in use; ${new URL(other).origin} is not.\n\n`));
  });

  it('says once what listening on the network means', async (t) => {
    const { said, program } = await startIn(t, newFolder(), '--lan');
    assert.match(said, /The connection is not encrypted/);
    await stop(program);
    assert.equal(await text(program.stderr), '');
  });

  it('leads the browser of this machine to 127.0.0.1, and prints the same link for other devices', async (t) => {
    const folder = newFolder();
    for (const path of ['/app/start', '/app/sign-in']) {
      const { said, link, secret, browser, program } = await startIn(t, folder, '--lan');
      assert.equal(`${link.hostname}${link.pathname}`, `127.0.0.1${path}`);
      const hosts = Object.values(networkInterfaces()).flatMap((list = []) =>
        list.flatMap((each) => (each.family === 'IPv4' && !each.internal ? [each.address] : [])),
      );
      const printed = Array.from(said.matchAll(/^ {2}(http:\S+)$/gm), ([, each]) => each);
      const expected = hosts.map((host) => `http://${host}:${link.port}${path}#${secret}`);
      assert.deepEqual(printed.slice(1), expected);
      if (path === '/app/start') await claimAndSignIn(browser, secret);
      else assert.match(said, /sign-in \S+ --host 0\.0\.0\.0 --port \d+/);
      await stop(program);
    }
  });

  it('names the addresses for other devices only if it listens on the network', async (t) => {
    for (const args of [[], ['--lan']]) {
      const { secret, browser } = await startIn(t, newFolder(), ...args);
      await claimAndSignIn(browser, secret);
      const found = listOf(await browser.get('/addresses')).map(({ url }) => String(url));
      const own = args.length === 0 ? [] : Object.values(networkInterfaces()).flat();
      const expected = own.filter((each) => each?.family === 'IPv4' && !each.internal);
      assert.equal(found.length, expected.length);
      for (const url of found) assert.match(url, /^http:\/\/[\d.]+:\d+\/app\/$/);
    }
  });

  it('works behind Tailscale or Caddy on this machine, which name the address with https', async (t) => {
    const { secret, link } = await startIn(t, newFolder());
    const browser = createTestBrowser({
      port: Number(link.port),
      origin: 'https://desk.tailnet.example',
      headers: { 'x-forwarded-proto': 'https' },
    });
    await claimAndSignIn(browser, secret);
    assert.deepEqual([...browser.jar.keys()], ['__Host-memories']);
    assert.equal((await browser.get('/me')).status, 200);
  });

  it('backs the database up every day, once a day however often it is started, until its folder is deleted', async (t) => {
    const folder = newFolder();
    const backups = join(folder, 'backups');
    const first = await startIn(t, folder);
    assert.match(
      first.said,
      /^A backup is made every day in \S+backups, and the newest 7 stay\.$/m,
    );
    await claimAndSignIn(first.browser, first.secret);
    const made = () => readdirSync(backups).filter((name) => name.endsWith('.db'));
    while (made().length === 0) await setTimeout(20);
    assert.equal(await stop(first.program), 0);
    const [backup = ''] = made();
    const { code, stdout } = await run(['verify', '--database', join(backups, backup)]);
    assert.equal(code, 0, stdout);

    const again = await startIn(t, folder);
    const imported = waitFor(again.program, 'stdout', /Your first memory is there/);
    copyFileSync(
      join(ROOT, 'fixtures/samples/omi/from-000000.json'),
      join(folder, 'inbox/omi.json'),
    );
    await imported;
    assert.equal(await stop(again.program), 0);
    assert.deepEqual(made(), [backup], 'not due');

    const yesterday = Date.now() / 1000 - 86_401;
    utimesSync(join(backups, backup), yesterday, yesterday);
    const left = join(backups, `${backup}.0123abcd.new`); // of one that was killed
    writeFileSync(left, '');
    utimesSync(left, yesterday, yesterday);
    const nextDay = await startIn(t, folder);
    while (made().length === 1 || existsSync(left)) await setTimeout(20);
    assert.equal(await stop(nextDay.program), 0);

    const wrong = Date.now() + 1000 * DAY_MS; // the clock when the last one was made
    assert.equal(backupJob(backups, wrong).repeats?.firstInMs, DAY_MS);

    rmSync(backups, { recursive: true });
    const last = await startIn(t, folder);
    assert.match(last.said, /^To have a backup every day, create the folder \S+backups and start/m);
    assert.equal(await stop(last.program), 0);
    assert.ok(!existsSync(backups));
  });

  it('names the file that is in the place of a folder', async () => {
    const folder = newFolder();
    const file = join(folder, 'inbox');
    writeFileSync(file, '');
    for (const place of [folder, file]) {
      const { code, stderr } = await run(['start', place, '--no-open']);
      assert.equal(code, 1);
      assert.equal(
        stderr,
        `memory-gateway: ${file} is a file, but start needs a folder there; move it, or name another folder.\n`,
      );
    }
  });

  it('says what to do if the folder cannot be created', async () => {
    const { code, stderr } = await run(['start', '/dev/null/home']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^memory-gateway: The folder \/dev\/null\/home cannot be created \(ENOTDIR\)/,
    );
  });
});
