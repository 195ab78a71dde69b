// The units of systemd in scripts/deploy: that systemd takes them, how much they shut off, and that they fit the program.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import type { Option } from '../src/cli/option.ts';
import { options } from '../src/cli/options.ts';
import { newFolder } from './support/left.ts';
import { ROOT } from './support/program.ts';
import { readme } from './support/readme.ts';

const SKIP =
  spawnSync('systemd-analyze', ['--version']).error !== undefined && 'there is no systemd-analyze';
if (SKIP && process.env['REQUIRE_SYSTEMD'] === '1') throw new Error(SKIP);
const NAMES = ['memory-gateway.service', 'memory-gateway.socket'] as const;

function shipped(name: (typeof NAMES)[number]): string {
  return readFileSync(join(ROOT, 'scripts/deploy', name), 'utf8');
}

/** What the units say of a name, in order. */
function settings(name: string): string[] {
  const lines = NAMES.map(shipped)
    .join('\n')
    .matchAll(/^(\w+)=(.*)$/gm);
  return Array.from(lines).flatMap(([, key, value]) => (key === name ? [String(value)] : []));
}

/** Puts the units where a program is that they can start: on this machine it is not installed. */
function writeUnits(): string[] {
  const folder = newFolder();
  return NAMES.map((name) => {
    const file = join(folder, name);
    const program = '/usr/local/bin/memory-gateway';
    writeFileSync(file, shipped(name).replaceAll(program, process.execPath));
    return file;
  });
}

function analyze(...words: string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['--no-pager', ...words], {
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

describe('The units of systemd', () => {
  it('are taken by systemd without a word', { skip: SKIP }, () => {
    assert.deepEqual(analyze('verify', ...writeUnits()), { status: 0, said: '' });
  });

  it('shut off all but what is needed, by the measure of systemd', { skip: SKIP }, () => {
    const [service = ''] = writeUnits();
    // In tenths: of 10 a unit that shuts off nothing has 9.6.
    const { status, said } = analyze('security', '--offline=true', '--threshold=15', service);
    assert.equal(status, 0, said.slice(-200));
  });

  it('set what the program reads, and give it the time that it takes to stop', () => {
    const known = new Set<string>(
      Object.values<Option>(options).flatMap(({ env = [] }) => [...env]),
    );
    const set = settings('Environment').map((line) => line.split('=')[0] ?? '');
    assert.deepEqual(
      set.filter((name) => name !== 'PATH' && !known.has(name)),
      [],
    );
    const [, grace] = /[Rr]unning answers have (\d+) s to finish/.exec(readme) ?? [];
    assert.ok(Number(settings('TimeoutStopSec')[0]) > Number(grace));
  });

  it('name the port of the program, and let the same addresses to the port and the service', () => {
    const { host, port } = options;
    assert.deepEqual(settings('ListenStream'), [`${host.default}:${port.default}`]);
    for (const name of ['IPAddressAllow', 'IPAddressDeny']) {
      const [one, other, ...more] = settings(name);
      assert.ok(one !== undefined && one === other && more.length === 0, name);
    }
  });

  it('run it as the user, and on the file, of which the README tells', () => {
    const [user] = settings('User');
    const [, database] = /MEMORY_GATEWAY_DATABASE=(\S+)/.exec(shipped(NAMES[0])) ?? [];
    assert.ok(readme.includes(`useradd --system --user-group ${user}\n`));
    assert.ok(readme.includes(`--database ${database} `));
    assert.ok(String(database).startsWith(`/var/lib/${settings('StateDirectory')[0]}/`));
  });
});
