// The command mcp: what it serves over stdio, what it prints, and how it fails.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { clients } from '../../src/agents/clients/configuration.ts';
import { run, runProcess, start, stop } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

const call = (name: string, args: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })}\n`;

/** Starts the command and sends it messages. Returns its streams when it has answered. */
async function converse(args: string[], input: string, env: Record<string, string> = {}) {
  const child = start(['mcp', ...args], { env });
  const said = { stdout: '', stderr: '' };
  child.stderr.on('data', (part) => (said.stderr += String(part)));
  const answered = new Promise<void>((resolve) => {
    child.stdout.on('data', (part) => {
      said.stdout += String(part);
      if (said.stdout.split('\n').length > input.split('\n').length - 1) resolve();
    });
    child.once('close', () => resolve());
  });
  child.stdin.write(input);
  await answered;
  child.stdin.end();
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { ...said, code };
}

describe('memory-gateway mcp', () => {
  it('ends with 0 when its client closes its end, and logs figures of calls, never their arguments', async (t) => {
    const world = await createWorld(t);
    world.addAccount('a', [memory({ id: 'milk', transcript: 'Mira: aardvark' })]);
    const args = ['--database', world.database, '--account', 'a', '--access-log'];
    const { stdout, stderr, code } = await converse(args, call('search', { query: 'aardvark' }));
    assert.equal(code, 0);
    assert.match(stdout, /milk#L1/);
    const { tool, duration_ms, bytes, is_error } = JSON.parse(stderr.trim());
    assert.deepEqual([tool, is_error], ['search', false]);
    assert.ok(duration_ms > 0 && bytes > 100);
    assert.doesNotMatch(stderr, /aardvark/);
  });

  it('reads dates in --timezone unless the agent names a zone', async (t) => {
    const world = await createWorld(t);
    world.addAccount('a', [memory({ id: 'milk' })]);
    const args = ['--database', world.database, '--timezone', 'Asia/Tokyo'];
    const { stdout } = await converse(args, call('list_memories', { started_after: '2026-11-01' }));
    assert.match(stdout, /started_after: 2026-10-31T15:00:00.000Z/);
  });

  it('prints configurations, with the whole path of the database and no key', async (t) => {
    const { database } = await createWorld(t);
    const printed = await run([
      'mcp',
      '--print',
      'cursor',
      '--database',
      'mine.db',
      '--account',
      'a',
    ]);
    assert.equal(printed.code, 0);
    const { command, args } = JSON.parse(printed.stdout).mcpServers.memories;
    assert.equal(command, '/usr/bin/memory-gateway');
    assert.match(args[2], /^\/.*mine\.db$/);
    const env = { MEMORY_GATEWAY_KEY: `mem_${'x'.repeat(49)}` };
    const remote = await run(['mcp', '--print', 'claude-code', '--url', 'https://m.example'], {
      env,
    });
    assert.doesNotMatch(remote.stdout, /mem_/);
    assert.match(remote.stderr, /terminal/);
    assert.ok(database);
  });

  it('prints what starts this program from any folder, and names the account even if it is the only one', async (t) => {
    const world = await createWorld(t);
    world.addAccount('a', [memory({ id: 'milk' })]);
    const printed = await runProcess(['mcp', '--print', 'claude', '--database', world.database]);
    const { command, args } = JSON.parse(printed.stdout).mcpServers.memories;
    assert.deepEqual(args.slice(-2), ['--account', 'a']);
    const child = spawn(command, args, { cwd: '/', env: {}, stdio: 'pipe' });
    child.stdin.write(call('list_memories', {}));
    child.stdout.once('data', () => child.stdin.end());
    assert.match(await text(child.stdout), /milk/);
    for (const client of clients) {
      const { stdout } = await run(['mcp', '--print', client, '--database', world.database]);
      assert.doesNotMatch(
        stdout,
        /(?<!\/)\bmemory-gateway mcp|"memory-gateway"|: memory-gateway$/m,
      );
    }
    world.addAccount('b');
    const { stderr } = await run(['mcp', '--print', 'cursor', '--database', world.database]);
    assert.match(stderr, /Give --account ACCOUNT, one of a \(Account a\), b/);
  });

  it('answers a message that is too long, skips byte order marks and garbage, and goes on', async (t) => {
    const world = await createWorld(t);
    world.addAccount('a', [memory({ id: 'milk' })]);
    const ping = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
    const long = JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'x'.repeat(1_100_000) });
    const input = `\uFEFF${call('list_memories', {})}${long}\nnot json\n${ping(9)}`;
    const child = start(['mcp', '--database', world.database]);
    let said = '';
    child.stdout.on('data', (part) => {
      said += String(part);
      if (said.trim().split('\n').length === 3) child.stdin.end();
    });
    child.stdin.write(input);
    await new Promise((resolve) => child.once('close', resolve));
    const answers = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const of = (id: number | null) => answers.find((each) => each.id === id);
    assert.match(JSON.stringify(of(1)?.result), /milk/);
    assert.match(of(null)?.error.message, /^Send messages of at most 1048576 bytes\.$/);
    assert.deepEqual(of(9)?.result, {});
  });

  it('fails in one sentence', async (t) => {
    const world = await createWorld(t);
    const { database, url } = world;
    world.addAccount('a');
    for (const [args, sentence, env] of [
      [['--print', 'emacs'], /--print takes claude-code, .*, not "emacs"/],
      [['--print', 'open-webui'], /give --url/],
      [['--url', url], /Put the key of the gateway into MEMORY_GATEWAY_KEY\./],
      [['--url', 'ftp://x'], /Give --url the http\(s\) address/, { MEMORY_GATEWAY_KEY: 'mem_x' }],
      [
        ['--url=', '--database='],
        /^.*Give --url with the address of a gateway, or --database FILE/,
      ],
      [['--timezone', 'Berlin', '--database', database], /--timezone takes the name of an IANA/],
      [['--database', database, '--account', 'b'], /no account "?b"?/i],
    ] as const) {
      const { code, stderr } = await run(['mcp', ...args], { env: env ?? {} });
      assert.notEqual(code, 0);
      assert.match(stderr, sentence);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }
  });

  it('takes an empty option as absent, because clients fill in all of them', async (t) => {
    const world = await createWorld(t);
    world.addAccount('a', [memory({ id: 'milk' })]);
    const args = ['--url=', '--account=', '--timezone=', '--database', world.database];
    const { stdout, stderr } = await converse(args, call('list_memories', {}));
    assert.match(stdout, /milk/, stderr);
  });

  it('tells the agent what is wrong with a remote gateway or its key', async (t) => {
    const { url } = await createWorld(t);
    const env = { MEMORY_GATEWAY_KEY: 'mem_wrong' };
    const { stdout } = await converse(['--url', url], call('search', { query: 'x' }), env);
    assert.match(stdout, /Invalid API key/);
    assert.match(stdout, /"isError":true/);
  });

  it('says at its start that a remote gateway does not answer or refuses the key, and serves all the same', async (t) => {
    const { url } = await createWorld(t);
    const env = { MEMORY_GATEWAY_KEY: 'mem_wrong' };
    for (const [address, sentence] of [
      [url, /: Invalid API key/],
      ['http://127.0.0.1:1', /: No gateway at http:\/\/127\.0\.0\.1:1\./],
    ] as const) {
      const child = start(['mcp', '--url', address], { env });
      const [said] = await once(child.stderr, 'data');
      assert.match(String(said), /^memory-gateway: Calls will fail until this is put right/);
      assert.match(String(said), sentence);
      child.stdin.write(call('list_memories', {}));
      const [answered] = await once(child.stdout, 'data');
      assert.match(String(answered), /"isError":true/);
      await stop(child);
    }
  });

  it('stops on a signal', async (t) => {
    const world = await createWorld(t);
    world.addAccount('a');
    const child = start(['mcp', '--database', world.database]);
    child.stdin.write(call('list_memories', {}));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await stop(child);
    assert.ok(child.signalCode === 'SIGTERM' || child.exitCode !== null);
  });
});
