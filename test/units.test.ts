// The units of systemd in scripts/deploy: that systemd takes them, how much they shut off, and that they fit the program.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import type { Option } from '../src/cli/option.ts';
import { options } from '../src/cli/options.ts';
import { lacking } from './support/lacking.ts';
import { newFolder } from './support/left.ts';
import { ROOT, stop, waitFor } from './support/program.ts';
import { readme } from './support/readme.ts';

const SKIP = lacking('systemd-analyze');
const SERVICES = ['memory-gateway.service', 'memory-gateway-backup.service'] as const;
const NAMES = [...SERVICES, 'memory-gateway.socket', 'memory-gateway-backup.timer'] as const;
const [SERVICE, BACKUP, SOCKET, TIMER] = NAMES;
type Name = (typeof NAMES)[number];

const PROGRAM = '/usr/local/bin/memory-gateway';

function shipped(name: Name): string {
  return readFileSync(join(ROOT, 'scripts/deploy', name), 'utf8');
}

/** What a unit says by a setting, in order. */
function settings(unit: Name, name: string): string[] {
  const lines = shipped(unit).matchAll(/^(\w+)=(.*)$/gm);
  return Array.from(lines).flatMap(([, key, value]) => (key === name ? [String(value)] : []));
}

/** Puts the units where a program is that they can start: on this machine it is not installed. */
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

/** What a service starts by a setting, as words for a shell, in a folder that takes the place of the system's. */
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

describe('The units of systemd', () => {
  it('are taken by systemd without a word', { skip: SKIP }, () => {
    const files = Object.values(writeUnits());
    assert.deepEqual(analyze('verify', ...files), { status: 0, said: '' });
  });

  it('shut off all but what is needed, by the measure of systemd', { skip: SKIP }, () => {
    const files = writeUnits();
    for (const service of SERVICES) {
      // In tenths: of 10 a unit that shuts off nothing has 9.6.
      const words = ['--offline=true', '--threshold=15', files[service]];
      const { status, said } = analyze('security', ...words);
      assert.equal(status, 0, said.slice(-200));
    }
  });

  it('set what the program reads, and give it the time that it takes to stop', () => {
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
    const [, grace] = /[Rr]unning answers have (\d+) s to finish/.exec(readme) ?? [];
    assert.ok(Number(settings(SERVICE, 'TimeoutStopSec')[0]) > Number(grace));
  });

  it('name the port of the program, and let the same addresses to the port and the service', () => {
    const { host, port } = options;
    assert.deepEqual(settings(SOCKET, 'ListenStream'), [`${host.default}:${port.default}`]);
    for (const name of ['IPAddressAllow', 'IPAddressDeny']) {
      const allowed = settings(SERVICE, name);
      assert.equal(allowed.length, 1, name);
      assert.deepEqual(settings(SOCKET, name), allowed, name);
    }
  });

  it('run it as the user, and on the file, of which the README tells', () => {
    const [user] = settings(SERVICE, 'User');
    const isDatabase = (each: string) => each.startsWith('MEMORY_GATEWAY_DATABASE=');
    const database = settings(SERVICE, 'Environment').find(isDatabase) ?? '';
    const file = database.replace(/.*=/, '');
    assert.ok(readme.includes(`useradd --system --user-group ${user}\n`));
    assert.ok(readme.includes(`--database ${file};`));
    assert.ok(file.startsWith(`/var/lib/${settings(SERVICE, 'StateDirectory')[0]}/`));
    assert.deepEqual(settings(BACKUP, 'User'), [user]);
    assert.ok(settings(BACKUP, 'Environment').includes(database));
    const [hour = 'none'] = settings(TIMER, 'OnCalendar').map((each) => each.replace(/.* /, ''));
    assert.ok(readme.includes(` at ${hour}, `));
  });

  it('make the database before they serve it, and back it up under the name of the day', async (t) => {
    const folder = newFolder();
    for (const name of ['lib-memories', 'backups-memories']) mkdirSync(join(folder, name));
    assert.match(runLine(SERVICE, 'ExecStartPre', folder), / has schema \d+ \(applied /);
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

  it('do not start again what was called wrongly, and what could not be done for ever', () => {
    const { words, env } = line(SERVICE, 'ExecStart', newFolder());
    const exitWith = (more: Record<string, string>) =>
      String(spawnSync('sh', words, { env: { ...env, ...more } }).status);
    const [final] = settings(SERVICE, 'RestartPreventExitStatus');
    assert.equal(exitWith({ MEMORY_GATEWAY_THROTTLE: 'often' }), final);
    assert.notEqual(exitWith({}), final, 'there is no database');
    assert.deepEqual(settings(SERVICE, 'Restart'), ['on-failure']);
  });
});
