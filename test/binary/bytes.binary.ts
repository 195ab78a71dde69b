// Reproducible builds: the executable of one commit has the same bytes, wherever and whenever it is built.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { newFolder } from '../support/world/artifacts.ts';
import { ROOT, runProcess } from '../support/world/program.ts';

/** Copies the packages that `npm ci` installs into a clone. */
type Install = (packages: string, folder: string) => void;

const link: Install = (packages, folder) => symlinkSync(packages, join(folder, 'node_modules'));
const copy: Install = (packages, folder) => {
  const isLinked = spawnSync('cp', ['-al', packages, folder], { stdio: 'ignore' }).status === 0;
  if (!isLinked) execFileSync('cp', ['-a', packages, folder]); // another file system, or a cp without this option
};

/** Clones the commit into a folder and builds it there. Returns the output of the build. */
function build(folder: string, install: Install) {
  execFileSync('git', ['clone', '--quiet', ROOT, folder]);
  install(join(ROOT, 'node_modules'), folder);
  const args = ['--import', 'tsx', 'scripts/binary/main.ts', '--reproducible', '--json'];
  const said = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return JSON.parse(said) as { file: string; bytes: number; sha256: string; reproducible: boolean };
}

describe('A build of the executable', () => {
  it('reports a usage error or a failure in one sentence, and leaves nothing', async () => {
    const folder = newFolder();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const [args, code, says] of [
      [['--output', ''], 2, /^binary: Give --output FOLDER\.\n$/],
      [
        ['--output', file],
        1,
        /^binary: Nothing can be built in [^\n]+ \(EEXIST\); name a folder [^\n]+\n$/,
      ],
      [['--fast'], 2, /^binary: Unknown option "--fast"; see --help\.\n$/],
    ] as const) {
      const { stdout, stderr, ...ended } = await runProcess(args, {
        script: 'scripts/binary/main.ts',
      });
      assert.deepEqual([ended.code, stdout], [code, ''], stderr);
      assert.match(stderr, says);
    }
    assert.deepEqual(readdirSync(folder), ['file']);
  });
});

describe('Two executables of one commit', () => {
  it('have the same bytes in reproducible mode, and run', (t) => {
    const root = mkdtempSync(join(tmpdir(), 'memory-gateway-bytes-'));
    t.after(() => rmSync(root, { recursive: true }));
    const [one, two] = [build(join(root, 'one'), link), build(join(root, 'two/and/deeper'), copy)];
    assert.equal(one.reproducible, true);
    for (const { file, bytes, sha256 } of [one, two]) {
      assert.equal(statSync(file).size, bytes);
      assert.equal(hash('sha256', readFileSync(file)), sha256);
      assert.deepEqual(
        readdirSync(join(file, '..')),
        ['memory-gateway'],
        'no other files are left',
      );
    }
    assert.equal(one.sha256, two.sha256);
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
    const said = execFileSync(one.file, ['--version', '--json'], { encoding: 'utf8' });
    assert.equal(JSON.parse(said).commit, commit.slice(0, 12));
    t.diagnostic(`${one.bytes} bytes, SHA-256 ${one.sha256}`);
  });
});
