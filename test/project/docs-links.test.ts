// The manual: every link leads somewhere, every diff applies, every page can be found, and every page has a
// reasonable length.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';

import { readPages, type Page } from '../../scripts/docs/pages.ts';
import { ROOT } from '../support/world/program.ts';

const pages = readPages();
const byPath = new Map(pages.map((page) => [page.path, page]));
const manifest: { files: string[] } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Files that npm always packs, in addition to `files`. */
const ALWAYS_PACKED = ['README.md', 'LICENSE', 'package.json'];

interface Target {
  /** Returns the path from the root, or undefined if the link leads out of the repository. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** Resolves a link of a page. A link to another site has no target here. */
function targetOf(page: Page, link: string): Target | undefined {
  if (/^[a-z]+:/i.test(link)) return undefined;
  const [file = '', anchor] = decodeURIComponent(link).split('#');
  const path = file === '' ? page.path : normalize(join(dirname(page.path), file));
  return { path, anchor };
}

/** Returns every link to a file that a check refuses, as `page: link`. */
function refused(check: (target: Target, page: Page, link: string) => boolean): string[] {
  return pages.flatMap((page) =>
    page.links.flatMap((link) => {
      const target = targetOf(page, link);
      return target === undefined || check(target, page, link) ? [] : [`${page.path}: ${link}`];
    }),
  );
}

const isIn = (path: string, entry: string) => path === entry || path.startsWith(`${entry}/`);

describe('A link of the manual', () => {
  it('leads to a file or a folder', () => {
    assert.deepEqual(
      refused(({ path }) => existsSync(join(ROOT, path))),
      [],
    );
  });

  it('leads to a heading if it names one', () => {
    assert.deepEqual(
      refused(({ path, anchor }) => {
        const page = byPath.get(path);
        return anchor === undefined || page === undefined || page.anchors.has(anchor);
      }),
      [],
    );
  });

  it('is relative', () => {
    assert.deepEqual(
      refused((_, __, link) => !link.startsWith('/')),
      [],
    );
  });

  it('works in the published package, too', () => {
    const packed = [...manifest.files, ...ALWAYS_PACKED];
    for (const { path } of pages)
      assert.ok(
        packed.some((entry) => isIn(path, entry)),
        `${path} is not packed`,
      );
    assert.deepEqual(
      refused(({ path }) => packed.some((entry) => isIn(path, entry))),
      [],
    );
  });
});

/** The maximum number of lines of a page. The changelog has no limit. */
const LONGEST: Readonly<Record<string, number>> = {
  'README.md': 200,
  'SECURITY.md': 130,
  'CONTRIBUTING.md': 130,
  'CHANGELOG.md': Infinity,
  // One section for each endpoint.
  'docs/reference/api.md': 160,
  // Generated: one row for each command, and for each variable.
  'docs/reference/cli/index.md': 160,
  // Generated: one section for each of their seven commands.
  'docs/reference/cli/accounts.md': 170,
  'docs/reference/cli/keys.md': 172,
};

describe('A page of the manual', () => {
  it('is short enough to read', () => {
    const long = pages
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > (LONGEST[path] ?? 150));
    assert.deepEqual(long, []);
  });

  it('on which somebody imports or installs leads to the app', () => {
    const paths = pages
      .map(({ path }) => path)
      .filter((path) =>
        /^(README|docs\/tutorial\/first-hour|docs\/howto\/(import|debian|systemd|docker|executable|tls|import\/.*))\.md$/.test(
          path,
        ),
      );
    assert.ok(paths.length > 30);
    const without = paths.filter((path) => !/sign-in|start\.md/.test(byPath.get(path)?.text ?? ''));
    assert.deepEqual(without, []);
  });

  it('can be reached from the map of the manual', () => {
    const reached = new Set(['docs/index.md']);
    for (const path of reached) {
      const page = byPath.get(path);
      for (const link of page?.links ?? []) {
        const target = page && targetOf(page, link);
        if (target && byPath.has(target.path)) reached.add(target.path);
        const index = join(target?.path ?? '', 'index.md');
        if (target && isFolder(target.path) && byPath.has(index)) reached.add(index);
      }
    }
    assert.deepEqual(
      pages.map(({ path }) => path).filter((path) => !reached.has(path)),
      [],
    );
  });

  it('has one heading of the first level, at its top', () => {
    // The page for agents begins with front matter, which their programs read.
    const odd = pages
      .filter(({ text }) => !/^(---\n[^]*?\n---\n\n)?# .+\n/.test(text))
      .map(({ path }) => path);
    assert.deepEqual(odd, []);
  });
});

const isFolder = (path: string): boolean =>
  statSync(join(ROOT, path), { throwIfNoEntry: false })?.isDirectory() ?? false;

describe('A diff of the manual', () => {
  // A copy of the project without the tools of a clone has no Git either.
  const skip = existsSync(join(ROOT, '.git')) ? false : 'needs a clone';

  it('applies to the code', { skip }, () => {
    const diffs = pages.flatMap((page) =>
      Array.from(readFileSync(join(ROOT, page.path), 'utf8').matchAll(/```diff\n([^]*?)```/g)).map(
        ([, diff]) => ({ path: page.path, diff }),
      ),
    );
    assert.ok(diffs.length >= 2, 'the recipes for a field and for an endpoint');
    for (const { path, diff } of diffs) {
      const { status, stderr } = spawnSync('git', ['apply', '--check'], { cwd: ROOT, input: diff });
      assert.equal(status, 0, `${path}: ${stderr.toString()}`);
    }
  });
});
