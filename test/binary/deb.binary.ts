// The Debian package: lintian accepts it, and dpkg installs, upgrades, removes and purges it in a copy of this system.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { commands } from '../../src/cli/program.ts';
import { absent } from '../support/processes/required-programs.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { ROOT } from '../support/world/program.ts';

const SKIP = absent('dpkg-deb', 'systemd-analyze', 'adduser', 'man');
const noLintian = absent('lintian');
const noShells = absent('zsh', 'fish');

/** Makes a copy of this system that is gone with the command: what is written goes to memory. */
const COPY = `
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount -t proc none "$1/root/proc"
mount --bind /dev "$1/root/dev"
mkdir "$1/root/packages"
mount --bind "$2" "$1/root/packages"
exec chroot "$1/root" sh -e /packages/commands
`;

const NAMESPACE = ['--mount', '--pid', '--fork'];
const noCopy =
  spawnSync('unshare', [...NAMESPACE, 'sh', '-c', 'mount -t tmpfs none /mnt']).status !== 0 &&
  'needs root, to mount a copy of this system';

const folder = newFolder();

/** Runs commands in a copy of this system. Returns the output of each, by its name. */
function inCopy(steps: Readonly<Record<string, string>>): Record<string, string> {
  const lines = Object.entries(steps).map(([name, line]) => `echo "== ${name}"\n${line}`);
  writeFileSync(join(folder, 'commands'), `exec 2>&1\n${lines.join('\n')}\n`);
  const mount = newFolder();
  const env = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    DEBIAN_FRONTEND: 'noninteractive',
    LC_ALL: 'C.UTF-8',
  };
  const { status, stdout } = spawnSync(
    'unshare',
    [...NAMESPACE, 'sh', '-ec', COPY, 'sh', mount, folder],
    { encoding: 'utf8', env },
  );
  assert.equal(status, 0, stdout);
  const parts = stdout.split(/^== (.+)\n/m).slice(1);
  return Object.fromEntries(
    Object.keys(steps).map((name) => [name, parts[parts.indexOf(name) + 1] ?? '']),
  );
}

function pack(...args: readonly string[]): string {
  const words = ['--import', 'tsx', 'scripts/deb/main.ts', '--output', folder, ...args];
  return execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' }).trim();
}

/** The contents of a file of the unpacked package. */
function fileOf(path: string): string {
  const bytes = readFileSync(join(folder, 'unpacked', path));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

describe('The Debian package', { skip: SKIP }, () => {
  let file = '';
  before(() => {
    file = pack('--version', '1.0');
    execFileSync('dpkg-deb', ['--extract', file, join(folder, 'unpacked')]);
  });

  it('has no fault that lintian finds', { skip: noLintian }, () => {
    const { status, stdout } = spawnSync(
      'lintian',
      ['--allow-root', '--fail-on', 'error,warning', file],
      { encoding: 'utf8' },
    );
    assert.deepEqual([stdout, status], ['', 0]);
  });

  it('has a manual page for each command, with its options, which man shows without a warning', () => {
    const names = new Set(Object.keys(commands).map((name) => name.split(' ')[0] ?? ''));
    for (const [name, { options }] of Object.entries(commands)) {
      const page = fileOf(`usr/share/man/man1/memory-gateway-${name.split(' ')[0]}.1.gz`);
      for (const option of options)
        assert.ok(
          page.includes(`\\fB\\-\\-${option.replaceAll('-', '\\-')}\\fR`),
          `${name} --${option}`,
        );
    }
    for (const page of ['', ...names].map((name) => `memory-gateway${name && `-${name}`}`)) {
      const path = join(folder, 'page.1');
      writeFileSync(path, fileOf(`usr/share/man/man1/${page}.1.gz`));
      const { stdout, stderr } = spawnSync('man', ['--warnings', '--local-file', path], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], MANWIDTH: '80', LC_ALL: 'C.UTF-8', MANROFFSEQ: '' },
      });
      assert.equal(stderr, '', page);
      assert.match(stdout, /^NAME\n +memory-gateway/m, page);
    }
  });

  it(
    'is installed, upgraded with its settings, removed and purged by dpkg, and never deletes memories',
    { skip: noCopy },
    () => {
      const script = join(folder, 'next');
      writeFileSync(script, '#!/bin/sh\necho next\n', { mode: 0o755 });
      const next = pack('--version', '1.1', '--executable', script);
      const name = (path: string) => path.replace(folder, '/packages');
      const env = '/etc/memory-gateway/env';
      const as =
        'setpriv --reuid memories --regid memories --clear-groups env MEMORY_GATEWAY_DATABASE=/var/lib/memories/mine.db';
      const found = inCopy({
        install: `dpkg --install ${name(file)}`,
        user: 'id -un memories; stat -c "%U %a" /var/lib/memories /var/backups/memories',
        mode: `stat -c "%U %G %a" ${env}`,
        enabled:
          'systemctl is-enabled memory-gateway.socket memory-gateway.service memory-gateway-backup.timer',
        verify: 'systemd-analyze --man=no verify /lib/systemd/system/memory-gateway*',
        run: `${as} memory-gateway migrate; ${as} memory-gateway accounts create Mira; ${as} memory-gateway backup /var/backups/memories/a.db`,
        change: `echo MEMORY_GATEWAY_CACHE=1MB >> ${env}; systemctl disable memory-gateway-backup.timer`,
        upgrade: `dpkg --install ${name(next)}; memory-gateway`,
        kept: `tail -1 ${env}; systemctl is-enabled memory-gateway.service memory-gateway-backup.timer || true`,
        remove: `dpkg --remove memory-gateway; ls ${env}; ! command -v memory-gateway`,
        again: `dpkg --install ${name(next)}; systemctl is-enabled memory-gateway.service`,
        purge: 'dpkg --purge memory-gateway; ! test -e /etc/memory-gateway',
        memories:
          'ls --ignore=*-shm --ignore=*-wal /var/lib/memories /var/backups/memories; find /etc/systemd /var/lib/systemd -name "memory-gateway*"',
      });
      assert.match(found['install'] ?? '', /Setting up memory-gateway \(1\.0\)/);
      assert.equal(found['user'], 'memories\nmemories 700\nmemories 700\n');
      assert.equal(found['mode'], 'root memories 640\n');
      assert.equal(found['enabled'], 'enabled\nenabled\nenabled\n');
      assert.equal(found['verify'], '');
      assert.match(found['run'] ?? '', /a\.db is a backup as of /);
      assert.match(found['upgrade'] ?? '', /^next$/m);
      assert.equal(found['kept'], 'MEMORY_GATEWAY_CACHE=1MB\nenabled\ndisabled\n');
      assert.match(found['remove'] ?? '', /^\/etc\/memory-gateway\/env$/m);
      assert.match(found['again'] ?? '', /^enabled$/m);
      assert.match(found['purge'] ?? '', /\/var\/lib\/memories still has your memories/);
      assert.equal(
        found['memories'],
        '/var/backups/memories:\na.db\n\n/var/lib/memories:\nmine.db\n',
      );
    },
  );

  it('completes commands and options in bash, fish and zsh', { skip: noShells }, () => {
    const script = (path: string) => {
      const to = join(folder, path.replaceAll('/', '-'));
      writeFileSync(to, fileOf(path));
      return to;
    };
    const bash = script('usr/share/bash-completion/completions/memory-gateway');
    const inBash = (...words: string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          `source '${bash}'; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _memory_gateway 2>&1; printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          'memory-gateway',
          ...words,
        ],
        { encoding: 'utf8' },
      )
        .trim()
        .split('\n');
    assert.deepEqual(inBash('ke'), ['keys']);
    assert.deepEqual(inBash('keys', 'ro'), ['rotate']);
    assert.deepEqual(inBash('keys', 'create', '--exp'), ['--expires']);
    assert.deepEqual(inBash('serve', '--port', ''), ['']);
    const fish = script('usr/share/fish/vendor_completions.d/memory-gateway.fish');
    const inFish = (line: string) =>
      execFileSync('fish', ['--no-config', '-c', `source '${fish}'; complete -C '${line}'`], {
        encoding: 'utf8',
        env: { ...process.env, HOME: folder },
      })
        .trim()
        .split('\n')
        .map((each) => each.split('\t')[0]);
    assert.deepEqual(inFish('memory-gateway keys ro'), ['rotate']);
    assert.deepEqual(inFish('memory-gateway keys create --exp'), ['--expires']);
    assert.ok(inFish('memory-gateway ').includes('healthcheck'));
    const zsh = script('usr/share/zsh/vendor-completions/_memory-gateway');
    mkdirSync(join(folder, 'zsh'));
    const inZsh = `autoload -U compinit; compinit -u -d '${folder}/zsh/dump'
_describe() { print -l -- \${(P)2} }
_arguments() { print -l -- $@ }
words=(memory-gateway keys '') CURRENT=3; source '${zsh}'
words=(memory-gateway serve --p) CURRENT=3; _memory_gateway`;
    const said = execFileSync('zsh', ['-f', '-c', inZsh], { encoding: 'utf8' });
    assert.match(said, /^rotate:/m);
    assert.match(said, /^--port=\[Port to listen on; 0 picks a free one\]:PORT:$/m);
    assert.match(said, /^--database=\[.*\]:DATABASE:_files$/m);
    assert.ok(readFileSync(zsh, 'utf8').startsWith('#compdef memory-gateway\n'));
  });
});
