// The Debian package: lintian accepts it, and dpkg installs, upgrades, removes and purges it in a copy of this system.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { commands } from '../../src/cli/program.ts';
import { absent } from '../support/processes/required-programs.ts';
import { noBoot, NO_COPY, runBooted, runInCopy } from '../support/processes/system-copy.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { ROOT } from '../support/world/program.ts';
import { isShort } from '../support/world/thorough.ts';

const SKIP = absent('dpkg-deb', 'systemd-analyze', 'adduser', 'man');
const noLintian = absent('lintian');
const noShells = absent('zsh', 'fish');

const NO_BOOT = SKIP !== false || noBoot();
const folder = newFolder();

function pack(args: readonly string[], more: NodeJS.ProcessEnv = {}): string {
  const words = ['--import', 'tsx', 'scripts/deb/main.ts', '--output', folder, ...args];
  const env = { ...process.env, ...more };
  return execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8', env }).trim();
}

/** Packs the files of a package as another version, without the time that compression takes. */
function repack(file: string, version: string): string {
  const root = join(folder, version);
  const to = `${root}.deb`;
  execFileSync('dpkg-deb', ['--raw-extract', file, root]);
  const control = join(root, 'DEBIAN/control');
  writeFileSync(
    control,
    readFileSync(control, 'utf8').replace(/^Version: .*/m, `Version: ${version}`),
  );
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', root, to]);
  return to;
}

/** The contents of a file of the unpacked package. */
function fileOf(path: string): string {
  const bytes = readFileSync(join(folder, 'unpacked', path));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

describe('The Debian package', { skip: SKIP }, () => {
  let file = '';
  /** A package with another executable, which says "next". */
  let next = '';
  before(() => {
    // Compressing and unpacking the executable took a third of this file's processor time. The small package is compressed.
    file = pack(['--version', '1.0'], isShort ? { DPKG_DEB_COMPRESSOR_TYPE: 'none' } : {});
    execFileSync('dpkg-deb', ['--raw-extract', file, join(folder, 'unpacked')]);
    const script = join(folder, 'next');
    writeFileSync(script, '#!/bin/sh\necho next\n', { mode: 0o755 });
    next = pack(['--version', '1.1', '--executable', script]);
  });

  it('has no fault that lintian finds', { skip: noLintian }, () => {
    // Node's executable takes lintian 20 s.
    const { status, stdout } = spawnSync(
      'lintian',
      ['--allow-root', '--fail-on', 'error,warning', isShort ? next : file],
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
    { skip: NO_COPY },
    () => {
      const name = (path: string) => path.replace(folder, '/packages');
      const env = '/etc/memory-gateway/env';
      const as =
        'setpriv --reuid memories --regid memories --clear-groups env MEMORY_GATEWAY_DATABASE=/var/lib/memories/mine.db';
      const found = runInCopy(folder, {
        install: `dpkg --install ${name(file)}`,
        user: 'id -un memories; stat -c "%U %a" /var/lib/memories /var/backups/memories',
        mode: `stat -c "%U %G %a" ${env}`,
        enabled:
          'systemctl is-enabled memory-gateway.socket memory-gateway.service memory-gateway-backup.timer',
        verify: 'systemd-analyze --man=no verify /lib/systemd/system/memory-gateway*',
        run: `${as} memory-gateway migrate; ${as} memory-gateway accounts create Mira; ${as} memory-gateway backup /var/backups/memories/a.db`,
        own: 'cd /; memory-gateway accounts list; memory-gateway sign-in mira; stat -c %U /var/lib/memories/*; ! ls *.db',
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
      assert.match(found['own'] ?? '', / Mira +active[^]*\/app\/sign-in#/);
      assert.doesNotMatch(found['own'] ?? '', /^root$/m);
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

  it(
    'runs at once under systemd, survives an upgrade with its memories, and stops when it is removed',
    { skip: NO_BOOT },
    () => {
      const name = (path: string) => path.replace(folder, '/packages');
      const later = repack(file, '1.2');
      const units = 'memory-gateway.socket memory-gateway.service memory-gateway-backup.timer';
      const cli =
        'setpriv --reuid memories --regid memories --clear-groups env MEMORY_GATEWAY_DATABASE=/var/lib/memories/mine.db memory-gateway';
      const ask =
        'curl -s -m 20 -o /dev/null -w "%{http_code}\\n" -H "X-API-Key: $key" http://127.0.0.1:8787/v1/memories';
      const pid = 'systemctl show --value -p MainPID memory-gateway.service';
      const found = runBooted(folder, {
        install: `dpkg --install ${name(file)}`,
        active: `systemctl is-active ${units}`,
        health: 'curl -s -m 20 http://127.0.0.1:8787/healthz; echo',
        key: `account=$(${cli} accounts create Mira 2>/dev/null); key=$(${cli} keys create --account $account 2>/dev/null)`,
        ask,
        user: `stat -c %U /proc/$(${pid})`,
        backup: 'systemctl start memory-gateway-backup.service; ls /var/backups/memories',
        crash: `before=$(${pid}); kill -9 $before; ${ask}; test $(${pid}) != $before`,
        upgrade: `dpkg --install ${name(later)}; systemctl is-active ${units}`,
        same: ask,
        failed: 'systemctl list-units --failed --no-legend --plain',
        boot: 'systemctl is-enabled memory-gateway.socket memory-gateway.service',
        remove: `dpkg --remove memory-gateway; systemctl is-active ${units} || true`,
        purge:
          'dpkg --purge memory-gateway; ls /var/lib/memories; systemctl list-unit-files --no-legend "memory-gateway*" || true',
      });
      assert.doesNotMatch(found['install'] ?? '', /[Cc]ould not/);
      assert.equal(found['active'], 'active\nactive\nactive\n');
      assert.equal(found['health'], '{"status":"up"}\n');
      assert.equal(found['ask'], '200\n');
      assert.equal(found['user'], 'memories\n');
      assert.match(found['backup'] ?? '', /^memories-\d\.db$/m);
      assert.equal(found['crash'], '200\n', 'the socket waits until systemd has restarted it');
      assert.match(found['upgrade'] ?? '', /active\nactive\nactive\n$/);
      assert.equal(found['same'], '200\n', 'the key of before');
      assert.equal(found['failed'], '');
      assert.equal(found['boot'], 'enabled\nenabled\n');
      assert.match(found['remove'] ?? '', /inactive\ninactive\ninactive\n$/);
      assert.match(found['purge'] ?? '', /^mine\.db\n/m);
      assert.doesNotMatch(found['purge'] ?? '', /memory-gateway\.(service|socket)/);
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
