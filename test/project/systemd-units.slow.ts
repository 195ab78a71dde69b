// The systemd units in scripts/deploy: systemd accepts them, their sandbox is tight, and they fit the program.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import type { Option } from '../../src/cli/args/options/option.ts';
import { options } from '../../src/cli/args/options/options.ts';
import { textOf } from '../support/manual/code.ts';
import { lacking } from '../support/processes/required-programs.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { ROOT, stop, waitFor } from '../support/world/program.ts';

const SKIP = lacking('systemd-analyze');
const SERVICES = [
  'memory-gateway.service',
  'memory-gateway-backup.service',
  'memory-gateway-pull@.service',
  'memory-gateway-watch@.service',
  'memory-gateway@.service',
] as const;
const NAMES = [
  ...SERVICES,
  'memory-gateway.socket',
  'memory-gateway-backup.timer',
  'memory-gateway-pull@.timer',
] as const;
const [SERVICE, BACKUP, PULL, WATCH, ONE_OF_MANY, SOCKET, TIMER] = NAMES;
type Name = (typeof NAMES)[number];

const PROGRAM = '/usr/local/bin/memory-gateway';

function shipped(name: Name): string {
  return readFileSync(join(ROOT, 'scripts/deploy', name), 'utf8');
}

/** Returns the values of a setting in a unit, in order. */
function settings(unit: Name, name: string): string[] {
  const lines = shipped(unit).matchAll(/^(\w+)=(.*)$/gm);
  return Array.from(lines).flatMap(([, key, value]) => (key === name ? [String(value)] : []));
}

/**
 * Points the units to a program that exists, because the real one is not installed on this machine.
 */
function writeUnits(): Record<Name, string> {
  const folder = newFolder();
  const files = NAMES.map((name) => {
    const file = join(folder, name);
    writeFileSync(file, shipped(name).replaceAll(PROGRAM, process.execPath));
    return [name, file];
  });
  return Object.fromEntries(files) as Record<Name, string>;
}

function analyze(...words: string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['--no-pager', ...words], {
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

/**
 * Returns the shell commands of a service's setting, with another folder in place of the system's
 * root.
 */
function line(unit: Name, setting: string, folder: string) {
  const program = join(folder, 'memory-gateway');
  const source = `${ROOT}src/cli/main.ts`;
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${source}' "$@"\n`, {
    mode: 0o700,
  });
  const moved = (text: string) =>
    text.replaceAll(PROGRAM, program).replaceAll(/\/var\/(lib|backups)\//g, `${folder}/$1-`);
  const [command = ''] = settings(unit, setting);
  const env = settings(unit, 'Environment').map(
    (each) => moved(each).split('=') as [string, string],
  );
  return {
    words: ['-c', `exec ${moved(command.replaceAll('$$', '$').replaceAll('%%', '%'))}`],
    env: { ...Object.fromEntries(env), NODE_V8_COVERAGE: '' },
  };
}

function runLine(unit: Name, setting: string, folder: string): string {
  const { words, env } = line(unit, setting, folder);
  const { status, stdout, stderr } = spawnSync('sh', words, { env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

describe('The systemd units', () => {
  it('are accepted by systemd without a warning', { skip: SKIP }, () => {
    const files = Object.values(writeUnits());
    assert.deepEqual(analyze('verify', ...files), { status: 0, said: '' });
  });

  it("restrict the service to what it needs, by systemd's own score", { skip: SKIP }, () => {
    const files = writeUnits();
    for (const service of SERVICES) {
      // In tenths. A unit without restrictions has 9.6 of 10.
      const words = ['--offline=true', '--threshold=15', files[service]];
      const { status, said } = analyze('security', ...words);
      assert.equal(status, 0, said.slice(-200));
    }
  });

  it("set the program's variables, and give it time to stop", () => {
    const known = new Set<string>(
      Object.values<Option>(options).flatMap(({ env = [] }) => [...env]),
    );
    const set = SERVICES.flatMap((each) => settings(each, 'Environment'));
    assert.deepEqual(
      set
        .map((each) => each.replace(/=.*/, ''))
        .filter((name) => name !== 'PATH' && !known.has(name)),
      [],
    );
    const [, grace] =
      /open requests get (\d+) seconds to finish/.exec(textOf('docs/howto/docker.md')) ?? [];
    assert.ok(Number(settings(SERVICE, 'TimeoutStopSec')[0]) > Number(grace));
  });

  it("use the program's port, and allow the same addresses for the socket and the service", () => {
    const { host, port } = options;
    assert.deepEqual(settings(SOCKET, 'ListenStream'), [`${host.default}:${port.default}`]);
    for (const name of ['IPAddressAllow', 'IPAddressDeny']) {
      const allowed = settings(SERVICE, name);
      assert.equal(allowed.length, 1, name);
      assert.deepEqual(settings(SOCKET, name), allowed, name);
    }
  });

  it('run it as the documented user on the documented file', () => {
    const guide = textOf('docs/howto/systemd.md');
    const [user] = settings(SERVICE, 'User');
    const isDatabase = (each: string) => each.startsWith('MEMORY_GATEWAY_DATABASE=');
    const database = settings(SERVICE, 'Environment').find(isDatabase) ?? '';
    const file = database.replace(/.*=/, '');
    assert.ok(guide.includes(`useradd --system --user-group ${user}\n`));
    assert.ok(guide.includes(`--database ${file};`));
    assert.ok(file.startsWith(`/var/lib/${settings(SERVICE, 'StateDirectory')[0]}/`));
    for (const unit of [BACKUP, PULL, WATCH, ONE_OF_MANY]) {
      assert.deepEqual(settings(unit, 'User'), [user]);
      assert.ok(settings(unit, 'Environment').includes(database));
    }
    for (const place of settings(PULL, 'EnvironmentFile'))
      assert.ok(guide.includes(place.replace('%i', 'limitless')));
    for (const key of settings(PULL, 'LoadCredential'))
      assert.ok(guide.includes(key.replace('key:', '').replace('%i', 'limitless')));
    const [hour = 'none'] = settings(TIMER, 'OnCalendar').map((each) => each.replace(/.* /, ''));
    assert.ok(guide.includes(` at ${hour} every night`));
  });

  it('create the database before they serve it, and back it up under the date', async (t) => {
    const folder = newFolder();
    for (const name of ['lib-memories', 'backups-memories']) mkdirSync(join(folder, name));
    assert.match(runLine(SERVICE, 'ExecStartPre', folder), / has SQLite schema \d+ \(applied /);
    const { words, env } = line(SERVICE, 'ExecStart', folder);
    const child = spawn('sh', words, { env: { ...env, MEMORY_GATEWAY_PORT: '0' } });
    t.after(() => child.kill('SIGKILL'));
    const said = await waitFor(child, 'stdout', /listening/);
    const [url] = /http:\/\/[\d.:]+/.exec(said) ?? [];
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    assert.match(runLine(SERVICE, 'ExecStartPre', folder), / already\./, 'as before each start');
    runLine(BACKUP, 'ExecStart', folder);
    runLine(BACKUP, 'ExecStart', folder); // a week later
    assert.match(readdirSync(join(folder, 'backups-memories')).join(), /^memories-[1-7]\.db$/);
    assert.equal(await stop(child), 0);
  });

  it('restrict each of several processes on one port like a single one, and scrape each at a port of its own', () => {
    const own = /^(?:#|Description|Requires|Conflicts|After|ExecStart=|MemoryMax|Also)/;
    const common = (unit: Name) =>
      shipped(unit)
        .split('\n')
        .filter((each) => !own.test(each));
    assert.deepEqual(common(ONE_OF_MANY), common(SERVICE));
    const [single] = settings(SERVICE, 'ExecStart');
    const more = ' --reuse-port --admin 127.0.0.1:946%i';
    assert.deepEqual(settings(ONE_OF_MANY, 'ExecStart'), [`${single}${more}`]);
    assert.deepEqual(settings(ONE_OF_MANY, 'Conflicts'), [`${SOCKET} ${SERVICE}`]);
  });

  it('pull with the options of a file and the credential of systemd', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'lib-memories'));
    writeFileSync(join(folder, 'key'), 'sk-test');
    runLine(SERVICE, 'ExecStartPre', folder);
    const { words, env } = line(PULL, 'ExecStart', folder);
    const command = words.map((word) => word.replace('%d', folder));
    const { status, stderr } = spawnSync('sh', command, {
      env: { ...env, PULL: 'limitless --account nobody' },
      encoding: 'utf8',
    });
    assert.deepEqual([status, /There is no account/.test(stderr)], [1, true], stderr);
  });

  it('watch a folder for the account of their name', async (t) => {
    const folder = newFolder();
    for (const name of ['lib-memories', 'backups-memories']) mkdirSync(join(folder, name));
    runLine(SERVICE, 'ExecStartPre', folder);
    const { words, env } = line(WATCH, 'ExecStart', folder);
    const [flag = '', command = ''] = words;
    mkdirSync(join(folder, 'mira'));
    const program = `'${process.execPath}' '${ROOT}src/cli/main.ts'`;
    spawnSync('sh', ['-c', `${program} accounts create Mira --id mira`], { env });
    const moved = command.replaceAll('/srv/memories/%I', `${folder}/mira`).replaceAll('%I', 'mira');
    const child = spawn('sh', [flag, moved], { env });
    t.after(() => child.kill('SIGKILL'));
    assert.match(await waitFor(child, 'stdout', /"msg":"watching"/), /"account":"mira"/);
    assert.equal(await stop(child), 0);
    assert.deepEqual(settings(WATCH, 'Restart'), ['on-failure']);
    assert.deepEqual(settings(WATCH, 'RestartPreventExitStatus'), ['2']);
  });

  it('do not restart after a usage error, and not endlessly after failures', () => {
    const { words, env } = line(SERVICE, 'ExecStart', newFolder());
    const exitWith = (more: Record<string, string>) =>
      String(spawnSync('sh', words, { env: { ...env, ...more } }).status);
    const [final] = settings(SERVICE, 'RestartPreventExitStatus');
    assert.equal(exitWith({ MEMORY_GATEWAY_THROTTLE: 'often' }), final);
    assert.notEqual(exitWith({}), final, 'there is no database');
    assert.deepEqual(settings(SERVICE, 'Restart'), ['on-failure']);
  });
});
