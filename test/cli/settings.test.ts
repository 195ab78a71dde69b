// Settings in files: options and variables, where each comes from, and what SIGHUP reads again.

import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { serveHere } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { ROOT, run, runProcess, stop } from '../support/world/program.ts';
import { until } from '../support/world/until.ts';
import { createWorld, memories } from '../support/world/world.ts';

/** Writes a file that only its user can read. */
function fileWith(...lines: readonly string[]): string {
  const file = join(newFolder(), 'settings');
  writeFileSync(file, lines.join('\n'), { mode: 0o600 });
  return file;
}

/** Runs `serve` with a wrong port, and returns what the error says about where it comes from. */
async function wrongPort(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stderr } = await run(['serve', ...args], { env });
  assert.equal(code, 2, stderr);
  return stderr.replace('memory-gateway: --port takes a number from 0 to 65535, not ', '').trim();
}

describe('A setting', () => {
  it('comes from its flag, the environment, the file of variables, the configuration file, in this order', async () => {
    const config = fileWith('# where to listen', '', 'port = file', 'log-level=warn');
    const envFile = fileWith('MEMORY_GATEWAY_PORT="dotenv" # a comment');
    const files = ['--config', config];
    assert.equal(await wrongPort(files), `"file". --port comes from ${config}.`);
    files.push('--env-file', envFile);
    assert.equal(
      await wrongPort(files),
      `"dotenv". --port comes from MEMORY_GATEWAY_PORT in ${envFile}.`,
    );
    const env = { MEMORY_GATEWAY_PORT: 'env' };
    assert.equal(await wrongPort(files, env), '"env". --port comes from MEMORY_GATEWAY_PORT.');
    assert.equal(await wrongPort([...files, '--port', 'flag'], env), '"flag".');
  });

  it('of any command may be in the files, and the environment may name the configuration file', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(1));
    const config = fileWith(`database = ${world.database}`);
    const named = fileWith(`MEMORY_GATEWAY_CONFIG=${config}`);
    for (const { args, env } of [
      { args: ['--config', config], env: {} },
      { args: [], env: { MEMORY_GATEWAY_CONFIG: config } },
      { args: ['--env-file', named], env: {} },
    ]) {
      const { code, stdout, stderr } = await run(['accounts', 'list', ...args], { env });
      assert.equal(code, 0, stderr);
      assert.match(stdout, /\bana\b/);
    }
  });

  const wrong: [line: string, says: RegExp][] = [
    ['prot = 1', /line 1: "prot" is no setting\. Did you mean "port"\?/],
    ['yes = on', /line 1: "yes" is no setting\. Give it on the command line\./],
    ['port', /line 1: write an option and its value, such as port = 8787\./],
    ['port = 1\nport = 2', /line 2: give port once\./],
    [
      'access-log = maybe',
      /--access-log takes "on", "off" or "address", not "maybe"\. .*settings\./,
    ],
    ['log-level = debug', /--log-level takes info, warn or error, not "debug"\./],
    ['log-format = xml', /--log-format takes json or text, not "xml"\./],
    ['log-level = warn\naccess-log = on', /--access-log writes nothing with --log-level warn/],
  ];
  for (const [line, says] of wrong)
    it(`is refused with its place: ${line.replace('\n', ', ')}`, async () => {
      const { code, stderr } = await run(['serve', '--config', fileWith(line)]);
      assert.equal(code, 2);
      assert.match(stderr, says);
    });

  it('with a typo in a file of variables is refused, and variables of other programs are not', async () => {
    const typo = fileWith('MEMORY_GATEWAY_DATABSE=/srv/mine.db');
    const { code, stderr } = await run(['version', '--env-file', typo]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /"MEMORY_GATEWAY_DATABSE" is no setting\. Did you mean "MEMORY_GATEWAY_DATABASE"\?/,
    );
    const others = ['KEY', 'SOURCE_KEY', 'IMAGE', 'USER'].map((name) => `MEMORY_GATEWAY_${name}=x`);
    const file = fileWith('PROT=1', 'TZ=UTC', ...others);
    assert.equal((await run(['version', '--env-file', file])).code, 0);
  });

  it('with a typo in the environment is refused, and no variable of ours is', async () => {
    const { code, stderr } = await run(['version'], { env: { MEMORY_GATEWAY_PROT: '8788' } });
    assert.equal(code, 2);
    assert.match(
      stderr,
      /: "MEMORY_GATEWAY_PROT" is no setting\. Did you mean "MEMORY_GATEWAY_PORT"\?/,
    );
    const files = ['src', 'scripts/deploy'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
    );
    const ours = new Set(files.join('\n').match(/\bMEMORY_GATEWAY_[A-Z_]*[A-Z]\b/g));
    assert.ok(ours.has('MEMORY_GATEWAY_EMBEDDINGS_KEY'));
    const file = fileWith(...Array.from(ours, (name) => `${name}=`));
    assert.equal((await run(['version', '--env-file', file])).code, 0);
  });

  it('that is secret is refused in a file that every user can read', async () => {
    for (const [option, line] of [
      ['--config', 'database = postgres://me:hunter2@127.0.0.1/memories'],
      ['--env-file', 'PGPASSWORD=hunter2'],
      ['--env-file', 'LIMITLESS_API_KEY=hunter2'],
    ] as const) {
      const file = fileWith(line);
      assert.equal((await run(['version', option, file])).code, 0);
      chmodSync(file, 0o644);
      const { code, stderr } = await run(['version', option, file]);
      assert.equal(code, 1);
      assert.match(stderr, /every user of this machine can read it; run chmod 640/);
      assert.doesNotMatch(stderr, /hunter2/);
    }
  });

  it('in a file that does not exist is an error that names it', async () => {
    for (const option of ['--config', '--env-file']) {
      const { code, stderr } = await runProcess(['version', option, '/nowhere/x']);
      // Node looks for --env-file among all arguments, and ends before the program can say more.
      assert.equal(code, option === '--env-file' ? 9 : 1);
      assert.match(stderr, /\/nowhere\/x/);
    }
  });
});

describe('SIGHUP', () => {
  it('reads the files again while the server runs', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(1));
    const config = fileWith('access-log = off');
    const args = ['--config', config];
    const { child, port, lines } = await serveHere(t, world.database, args);
    const said = (msg: string) => lines().filter((line) => line['msg'] === msg);
    await send(port, { key });
    writeFileSync(config, 'access-log = on\nport = 1');
    child.kill('SIGHUP');
    await until(() => said('settings reloaded').length === 1);
    assert.deepEqual(said('settings reloaded')[0]?.['changed'], ['access-log']);
    await until(() => said('request').length > 0 || (void send(port, { key }), false));
    const before = said('request').length;
    writeFileSync(config, 'access-log = perhaps');
    child.kill('SIGHUP');
    await until(() => said('settings not reloaded').length === 1);
    assert.match(String(said('settings not reloaded')[0]?.['reason']), /--access-log takes/);
    await send(port, { key });
    await until(() => said('request').length > before);
    writeFileSync(config, 'cache = 1MB\nlog-level = warn');
    child.kill('SIGHUP');
    await until(() => said('restart the program for these options').length === 1);
    assert.deepEqual(said('restart the program for these options')[0]?.['options'], ['cache']);
    assert.equal(await stop(child), 0);
  });
});
