// Operations: addresses in the access log, the check for containers, kept backups, and the demo in a container.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textFrom } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { onlyFiles } from '../support/engines/engine.ts';
import { absent } from '../support/processes/required-programs.ts';
import { serveHere } from '../support/processes/serve-process.ts';
import { exchange, send } from '../support/wire/wire.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { ROOT, run, start, stop, waitFor } from '../support/world/program.ts';
import { until } from '../support/world/until.ts';
import { createWorld, memories } from '../support/world/world.ts';

const FILTER = join(ROOT, 'scripts/deploy/fail2ban-filter.conf');
const noFail2ban = absent('fail2ban-regex');

describe('The access log', () => {
  it('has the address of the client with --access-log=address alone, and fail2ban finds wrong keys in it', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(1));
    const args = ['--access-log=address', '--proxy', '127.0.0.1'];
    const { child, port, lines } = await serveHere(t, world.database, args);
    const ask = (apiKey: string, address: string) =>
      exchange(
        port,
        `GET /v1/memories HTTP/1.1\r\nhost: a\r\nx-api-key: ${apiKey}\r\nx-forwarded-for: ${address}\r\nconnection: close\r\n\r\n`,
      );
    await ask(key, '203.0.113.7');
    await ask('wrong', '203.0.113.8');
    await ask('wrong', '2001:db8:0:1:2:3:4:5');
    await send(port, { path: '/healthz' });
    const requests = () => lines().filter(({ msg }) => msg === 'request');
    await until(() => requests().length === 4);
    assert.deepEqual(
      requests().map(({ status, address }) => [status, address]),
      [
        [200, '203.0.113.7'],
        [401, '203.0.113.8'],
        [401, '2001:db8:0:1::/64'],
        [200, undefined],
      ],
    );
    assert.equal(await stop(child), 0);
    assert.ok(!lines().some(({ msg }) => /no effect/.test(String(msg))), 'the proxy has an effect');
    if (noFail2ban !== false) return t.diagnostic(`the filter of fail2ban: ${noFail2ban}`);
    const log = join(newFolder(), 'gateway.log');
    writeFileSync(
      log,
      lines()
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    const banned = execFileSync('fail2ban-regex', ['--out=ip', log, FILTER], { encoding: 'utf8' });
    assert.deepEqual(banned.trim().split('\n'), ['203.0.113.8', '2001:db8:0:1::/64']);
  });

  it('has lines that the filter of fail2ban finds in a file and in the journal, but not those of a good key', () => {
    const [, rule = ''] = /^failregex = (.+)$/m.exec(readFileSync(FILTER, 'utf8')) ?? [];
    const expression = new RegExp(rule.replace('<SUBNET>', '([0-9a-f.:/]+)'));
    const line = (status: number, more = '') =>
      `{"level":"info","time":"2026-11-24T10:24:23.341Z","method":"GET","status":${status},"bytes":107,${more}"complete":true,"address":"203.0.113.8","msg":"request"}`;
    const found: [text: string, address: string | undefined][] = [
      [line(401), '203.0.113.8'],
      [line(429), '203.0.113.8'],
      // As fail2ban formats an entry of the journal, in 0.10 with a space before it.
      [`pi memory-gateway[812]: ${line(401)}`, '203.0.113.8'],
      [` pi memory-gateway[812]: ${line(401)}`, '203.0.113.8'],
      [line(200), undefined],
      [line(429, '"last_four":"UVYq",'), undefined],
      [`pi memory-gateway[812]: ${line(429, '"last_four":"UVYq",')}`, undefined],
    ];
    for (const [text, address] of found) assert.equal(expression.exec(text)?.[1], address, text);
  });

  it('has no address by default', async (t) => {
    const world = await createWorld(t);
    const { child, port, lines } = await serveHere(t, world.database, ['--access-log']);
    await send(port, { path: '/healthz' });
    assert.equal(await stop(child), 0);
    const entry = lines().find(({ msg }) => msg === 'request');
    assert.equal(entry?.['status'], 200);
    assert.ok(entry !== undefined && !('address' in entry));
  });
});

describe('The log', () => {
  it('drops entries that are not read, and counts them', async () => {
    const [logger, real] = ['output/logger.ts', 'process.ts'].map((name) =>
      join(ROOT, 'src/cli', name),
    );
    const code = `import { createLogger } from '${logger}'; import { processContext } from '${real}'; const { logger } = await createLogger(processContext.stdout, { format: 'json' }); for (let i = 0; i < 40; i++) logger.info({ long: 'x'.repeat(200_000) }, 'long'); process.stderr.write('written');`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code]);
    await waitFor(child, 'stderr', /written/);
    const lines = (await textFrom(child.stdout))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; dropped?: number });
    const sum = lines.reduce((all, { dropped = 0 }) => all + dropped, 0);
    assert.ok(sum > 0);
    assert.equal(lines.filter(({ msg }) => msg === 'long').length + sum, 40);
  });

  it('has only what is as bad as --log-level, and is text with --log-format text', async (t) => {
    const world = await createWorld(t);
    const quiet = start([
      'serve',
      '--database',
      world.database,
      '--port',
      '0',
      '--log-level',
      'warn',
      '--app',
      'off',
      '--proxy',
      '::1',
    ]);
    t.after(() => stop(quiet, 'SIGKILL'));
    const said = await waitFor(quiet, 'stdout', /\n/);
    assert.match(said, /^\{"level":"warn".*--proxy has no effect/);
    assert.doesNotMatch(said, /listening/);
    assert.equal(await stop(quiet), 0);
    const text = start([
      'serve',
      '--database',
      world.database,
      '--port',
      '0',
      '--log-format',
      'text',
    ]);
    t.after(() => stop(text, 'SIGKILL'));
    const shown = await waitFor(text, 'stdout', /listening/);
    assert.match(shown, /^\[\d\d:\d\d:\d\d\] INFO: listening/);
    assert.equal(await stop(text), 0);
  });
});

describe('healthcheck', () => {
  it('ends with 0 if the server is ready, on a port or a Unix socket', async (t) => {
    const world = await createWorld(t);
    const { port } = await serveHere(t, world.database);
    const env = { MEMORY_GATEWAY_PORT: String(port), MEMORY_GATEWAY_HOST: '0.0.0.0' };
    const ready = await run(['healthcheck'], { env });
    assert.deepEqual(
      [ready.code, ready.stdout],
      [0, `The server on 127.0.0.1 port ${port} is ready.\n`],
    );
    const host = `unix:${join(newFolder(), 'gateway.sock')}`;
    const child = start(['serve', '--database', world.database, '--host', host]);
    t.after(() => stop(child, 'SIGKILL'));
    await waitFor(child, 'stdout', /listening/);
    assert.equal((await run(['healthcheck', '--host', host, '--json'])).stdout, '{"ready":true}\n');
  });

  it('ends with 1 and says why if there is no server, another one, or one that is not ready', async () => {
    const replies = ['', 'HTTP/1.1 503 Service Unavailable\r\n\r\n', 'SSH-2.0-x\r\n'];
    const says = [
      /ECONNRESET|is no Memory Gateway/,
      /is not ready \(503\)/,
      /is no Memory Gateway/,
    ];
    for (const [i, reply] of replies.entries()) {
      const server = createServer((socket) => {
        socket.on('error', () => {}).resume();
        socket.end(reply);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const { code, stderr } = await run(['healthcheck', '--port', String(port)]);
      await new Promise((resolve) => server.close(resolve));
      assert.equal(code, 1);
      assert.match(stderr, says[i] ?? /never/);
      if (i > 0) continue;
      const gone = await run(['healthcheck', '--port', String(port)]);
      assert.equal(gone.code, 1);
      assert.match(
        gone.stderr,
        /^memory-gateway: No server responds on 127\.0\.0\.1 port \d+ \(ECONNREFUSED\); [^\n]*\n$/,
      );
    }
  });
});

describe('backup --keep', { skip: onlyFiles }, () => {
  it('names backups by their time, keeps the newest, and deletes no other file', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(2));
    const folder = newFolder();
    const other = ['memory-gateway-old.db', 'notes.txt'];
    for (const name of other) writeFileSync(join(folder, name), '');
    const args = ['backup', folder, '--keep', '2', '--database', world.database, '--json'];
    const made: { file: string; deleted: string[] }[] = [];
    for (let i = 0; i < 4; i++) {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 0, stderr);
      made.push(JSON.parse(stdout));
    }
    const names = made.map(({ file }) => file.slice(folder.length + 1));
    assert.match(names[0] ?? '', /^memory-gateway-\d{8}T\d{9}Z\.db$/);
    assert.deepEqual(readdirSync(folder).toSorted(), [...names.slice(2), ...other].toSorted());
    assert.deepEqual(
      made.map(({ deleted }) => deleted),
      [[], [], [names[0]], [names[1]]],
    );
    const verified = await run(['verify', '--database', join(folder, names[3] ?? '')]);
    assert.equal(verified.code, 0, verified.stderr);
  });

  it('never deletes the backup that it made, even if others have a later time in their names', async (t) => {
    const world = await createWorld(t);
    const folder = newFolder();
    const later = [
      'memory-gateway-20980101T000000000Z.db',
      'memory-gateway-20990101T000000000Z.db',
    ];
    for (const name of later) writeFileSync(join(folder, name), '');
    const back = async (keep: number) => {
      const args = ['backup', folder, '--keep', String(keep), '--database', world.database];
      const { code, stdout, stderr } = await run([...args, '--json']);
      assert.equal(code, 0, stderr);
      const { file, deleted } = JSON.parse(stdout) as { file: string; deleted: string[] };
      return { name: file.slice(folder.length + 1), deleted };
    };
    const first = await back(2);
    assert.deepEqual(first.deleted, [later[0]]);
    assert.deepEqual(readdirSync(folder).toSorted(), [first.name, later[1]]);
    const second = await back(1);
    assert.deepEqual(second.deleted, [first.name, later[1]]);
    assert.deepEqual(readdirSync(folder), [second.name]);
  });

  it('deletes nothing if the backup fails, and takes a folder only', async (t) => {
    const world = await createWorld(t);
    const folder = newFolder();
    const old = ['memory-gateway-20200101T000000000Z.db', 'memory-gateway-20200102T000000000Z.db'];
    for (const name of old) writeFileSync(join(folder, name), '');
    const missing = join(newFolder(), 'none.db');
    assert.equal((await run(['backup', folder, '--keep', '1', '--database', missing])).code, 1);
    assert.deepEqual(readdirSync(folder).toSorted(), old);
    const file = join(folder, 'none');
    const { code, stderr } = await run([
      'backup',
      file,
      '--keep',
      '1',
      '--database',
      world.database,
    ]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /With --keep, FILE is a folder, but [^\n]*none is none; create it first\./,
    );
    assert.equal(
      (await run(['backup', folder, '--keep', '0', '--database', world.database])).code,
      2,
    );
  });
});

describe('demo --host', () => {
  it('listens on all addresses of a container, and prints one that a client can connect to', async (t) => {
    const folder = newFolder();
    mkdirSync(join(folder, 'in'));
    const args = [
      'demo',
      '--host',
      '0.0.0.0',
      '--port',
      '0',
      '--database',
      join(folder, 'in/demo.db'),
    ];
    const child = start(args);
    t.after(() => stop(child, 'SIGKILL'));
    const said = await waitFor(child, 'stdout', /Ctrl\+C/);
    for (const [key] of said.matchAll(/mem_\w{49}/g)) issued(key);
    const [, url = ''] = /at (http:\/\/127\.0\.0\.1:\d+) from/.exec(said) ?? [];
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    const listening = readFileSync('/proc/net/tcp', 'utf8');
    const port = Number(url.split(':')[2]).toString(16).toUpperCase().padStart(4, '0');
    assert.ok(listening.includes(` 00000000:${port} 00000000:0000 0A `), 'all addresses');
    assert.equal(await stop(child), 0);
  });
});
