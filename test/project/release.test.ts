// Releases: the notes of a version, what stands in its way, and the workflows, whose steps are scripts of the project.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { obstacles } from '../../scripts/release/check.ts';
import { notesOf } from '../../scripts/release/notes.ts';
import { ROOT } from '../support/world/program.ts';

const text = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const manifest = JSON.parse(text('package.json'));
const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows')).map(
  (name) => `.github/workflows/${name}`,
);

describe('The notes of a release', () => {
  it('are the section of its version', () => {
    const changelog =
      '# Changes\n\n## 1.1.0\n\n- Add a.\n\n### B\n\n- Fix b.\n\n## 1.1.0-rc\n\nx\n\n## 1.0.0\n\ny\n';
    assert.equal(notesOf(changelog, '1.1.0'), '- Add a.\n\n### B\n\n- Fix b.\n');
    assert.equal(notesOf(changelog, '1.0.0'), 'y\n');
    assert.throws(() => notesOf(changelog, '1'), /has no section "## 1" with text/);
    assert.throws(() => notesOf('## 2.0.0\n\n## 1.0.0\n\nx', '2.0.0'), /has no section/);
  });

  it('exist for the version in package.json', () => {
    assert.ok(notesOf(text('CHANGELOG.md'), manifest.version).length > 100);
  });
});

describe('A release', () => {
  const good = {
    manifest: '{"version":"1.2.0","repository":"a/b"}',
    lock: '{"version":"1.2.0"}',
    changelog: '## 1.2.0\n\n- Add a.\n',
  };
  it('is refused for each reason in a sentence', () => {
    assert.deepEqual(obstacles('v1.2.0', good), []);
    const says: [tag: string, change: Partial<typeof good>, reason: RegExp][] = [
      ['v1.2.1', {}, /^The tag v1\.2\.1 is not v1\.2\.0;/],
      ['v1.2.0', { lock: '{"version":"1.1.0"}' }, /^package-lock\.json has another version;/],
      [
        'v1.2.0',
        { manifest: '{"version":"1.2.0","homepage":"https://OWNER.example"}' },
        /placeholder OWNER/,
      ],
      ['v1.2.0', { changelog: '' }, /has no section/],
    ];
    for (const [tag, change, reason] of says) {
      const found = obstacles(tag, { ...good, ...change });
      assert.equal(found.length, 1);
      assert.match(found[0] ?? '', reason);
    }
  });
});

describe('The workflows', () => {
  it('run scripts that exist here, and nothing else', () => {
    const runs = WORKFLOWS.flatMap((name) =>
      Array.from(text(name).matchAll(/^ *(?:- )?run: (.+)$/gm), ([, line = '']) => line),
    );
    assert.ok(runs.length > 8);
    for (const line of runs) {
      const [first = '', second = '', third = ''] = line.split(' ');
      if (first === 'npm') assert.ok(second === 'ci' || third in manifest.scripts, line);
      else {
        const file = join(ROOT, first === 'node' ? second : first);
        assert.ok(existsSync(file), line);
        assert.ok(
          first === 'node' || (statSync(file).mode & 0o111) !== 0,
          `${first} can be executed`,
        );
      }
      assert.doesNotMatch(line, /\$\{\{|[;&|]/, 'one command, without text of others in it');
    }
  });

  it('have read access by default, and pass no credentials to the steps', () => {
    for (const name of WORKFLOWS) {
      assert.match(text(name), /^permissions:\n {2}contents: read\n/m, name);
      const checkouts = text(name).split('actions/checkout@').length - 1;
      assert.equal(text(name).split('persist-credentials: false').length - 1, checkouts, name);
    }
  });
});
