// The executable behaves like the package: same output, same files, and each can use the other's database.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

import Database from 'better-sqlite3';

import { commands } from '../../src/cli/program.ts';
import { VIEWER_FILES } from '../../src/gateway/public/docs.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { startInProcess } from '../support/world/program-in-process.ts';
import { ended, ROOT, runProcess, waitFor, type ProcessOptions } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

const PACKAGE: ProcessOptions = { script: 'dist/cli/main.cjs' };
const EXECUTABLE: ProcessOptions = {};

/** Runs the program of the package in this process, which takes no processor time to start it. */
const runPackage = (...args: string[]) =>
  ended(startInProcess(args, process.env, pathToFileURL(join(ROOT, 'dist/cli/program.cjs')).href));

/** Overwrites a memory with other bytes. */
function damage(database: string): void {
  const db = new Database(database);
  db.exec("UPDATE memories SET body = zeroblob(9) WHERE id = 'one'");
  db.close();
}

describe('The executable and the package', () => {
  it('give the same output and the same exit codes', async () => {
    const calls = [
      [],
      ['--help'],
      ...Object.keys(commands).map((name) => [...name.split(' '), '--help']),
      ['openapi', '--base-url', '/x'],
      ['serve', '--port', 'x'],
      ['no', 'such'],
      ['keys', 'list', '--database', '/nowhere/x.db'],
      ['doctor', '--database', '/nowhere/x.db'],
    ];
    for (const args of calls)
      assert.deepEqual(await runProcess(args), await runPackage(...args), args.join(' '));
    const [ours, theirs] = [
      await runProcess(['--version', '--json']),
      await runProcess(['--version', '--json'], PACKAGE),
    ];
    assert.deepEqual(JSON.parse(ours.stdout), JSON.parse(theirs.stdout));
  });

  it('open each other’s databases, and export the same', async () => {
    const exports = [];
    for (const [makes, reads] of [
      [PACKAGE, EXECUTABLE],
      [EXECUTABLE, PACKAGE],
    ] as const) {
      const on = ['--database', join(newFolder(), 'mine.db')];
      const ok = async (how: ProcessOptions, ...args: string[]) => {
        const { code, stdout, stderr } = await runProcess([...args, ...on], how);
        assert.equal(code, 0, stderr);
        return stdout;
      };
      await ok(makes, 'migrate');
      await ok(makes, 'accounts', 'create', 'Mira', '--id', 'mira');
      const key = issued((await ok(makes, 'keys', 'create', '--account', 'mira')).trim());
      await ok(makes, 'import', join(ROOT, 'fixtures/memories/mira.json'));
      await ok(reads, 'verify');
      const { stdout } = await runProcess(['keys', 'check', ...on], { ...reads, input: key });
      assert.match(stdout, /active/);
      await ok(reads, 'memories', 'delete', '--account', 'mira', '2026-11-18-memo-milk');
      await ok(makes, 'verify');
      exports.push(await ok(reads, 'export'));
    }
    assert.equal(exports[0], exports[1]);
    assert.ok(exports[0] !== undefined && exports[0].split('\n').length > 10);
  });

  it('serve the same reference page, the same OpenAPI document and the same viewer', async (t) => {
    const world = await createWorld(t);
    const { port } = await serveAlone(t, world.database);
    for (const path of [
      '/docs',
      '/openapi.json',
      ...['start.js', 'style.css', ...VIEWER_FILES].map((name) => `/docs/${name}`),
    ]) {
      const asked = { path, headers: { host: 'one.example' } }; // the document names its address
      const [ours, theirs] = [await send(port, asked), await send(world.port, asked)];
      assert.equal(ours.status, 200, path);
      assert.deepEqual(ours.body, theirs.body, path);
      assert.equal(ours.headers['etag'], theirs.headers['etag'], path);
    }
  });

  it('log the functions of a stack trace, and not where they were built', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    const { child, port } = await serveAlone(t, world.database);
    damage(world.database);
    const logged = waitFor(child, 'stdout', /"stack":"[^\n]*\n/);
    assert.equal((await send(port, { path: '/v1/memories/one', key })).status, 500);
    const { err } = JSON.parse((await logged).trim());
    assert.match(
      err.stack,
      /at damagedMemory \(memory-gateway\.cjs:\d+:\d+\)[^]*at Object\.memory \(/,
    );
    assert.ok(!err.stack.includes(ROOT), err.stack);
  });

  it('contain the licences of Node, of SQLite’s binding and of all other packages', async () => {
    const { stdout } = await runProcess(['licenses']);
    assert.ok(stdout.startsWith(readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim()));
    for (const name of [
      'Node.js is licensed for use',
      'better-sqlite3 13',
      'kysely ',
      'pg ',
      'pino ',
      'valibot ',
      'swagger-ui-dist ',
    ])
      assert.ok(stdout.includes(name), name);
  });
});
