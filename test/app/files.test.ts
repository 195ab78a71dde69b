// The files of the app: small enough, complete, and one shell for every address.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { constants, gzipSync } from 'node:zlib';

import { bundleApp, type BundledFile } from '../../scripts/app.ts';
import { BESIDE } from '../../scripts/bundling.ts';
import { findAppFile } from '../../src/app/app-files.ts';
import { PRODUCTS_FILE, type Products } from '../../src/app/samples.ts';
import { findScreen, SCREENS } from '../../src/app/screens.ts';
import { productOf } from '../../src/formats/details.ts';
import { formatNames } from '../../src/formats/formats.ts';
import { ROOT } from '../support/world/program.ts';

const KB = 1000;

/** Addresses of all screens. */
const ADDRESSES = [
  '',
  'sign-in',
  'start',
  'import',
  'bin',
  'consent',
  'search',
  'searches',
  'changes',
  'connect',
  'm/2026-11-18-memo-milk',
  'm/a.b_c~d',
  'calendar',
  'calendar/2026',
  'days/2026-11-18',
  'weeks/2026-11-16',
  'months/2026-11',
  'people',
  'actions',
  'starred',
  'people/Frau%20Brandes',
  'settings',
  'settings/reading',
  'settings/access',
  'settings/devices',
  'settings/edits',
  'settings/phone',
  'settings/sources',
  'settings/shares',
  'settings/about',
];

describe('The files of the app', () => {
  let bundled: readonly BundledFile[] = [];
  before(async () => {
    bundled = await bundleApp();
  });

  const gzipped = (pattern: RegExp) => {
    const found = bundled.filter(({ name }) => pattern.test(name));
    assert.ok(found.length > 0, String(pattern));
    const level = constants.Z_BEST_COMPRESSION;
    return found.reduce((sum, { body }) => sum + gzipSync(body, { level }).length, 0);
  };

  it('have fields of 16 px for fingers, so that an iPhone does not zoom into them', () => {
    const css = String(bundled.find(({ name }) => name.endsWith('.css'))?.body.toString());
    assert.match(
      css,
      /@media ?\(pointer:coarse\)\{input,select,textarea,\.copy \.code\{font-size:max\(1rem,16px\)/,
    );
  });

  it('show names within a line as texts of their own, which turn nothing after them', () => {
    const folder = join(ROOT, 'src/app/browser');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .flatMap((text) => text.match(/<bdi\b[^>]*>[^]*?<\/bdi>/g) ?? []);
    assert.ok(names.length > 10);
    for (const name of names) assert.match(name, /\b(?:isolated|personOf|titleOf)\(/);
  });

  it('keep keys, ids and commands from the translator of a browser', () => {
    const folder = join(ROOT, 'src/app/browser');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    const shown = sources.flatMap((text) => text.match(/<code\b[^>]*>/g) ?? []);
    assert.ok(shown.length > 3);
    for (const tag of shown) assert.match(tag, /translate=\{false\}/);
    const copied = sources.find((text) => text.includes('export function CopyText'));
    assert.match(String(copied), /translate: false/);
  });

  it('have at most 35 kB of scripts for the list, 100.4 kB for all screens and the worker, and 8 kB of style, compressed', (t) => {
    const [first, all] = [gzipped(/^(?:app|early)-.*\.js$/), gzipped(/^(?!consent-).*\.js$/)];
    const styles = gzipped(/\.css$/);
    t.diagnostic(`${first} bytes of the first script, ${all} of all, ${styles} bytes of style`);
    assert.ok(first <= 35 * KB, `${first} bytes of the first script`);
    assert.ok(all <= 100.4 * KB, `${all} bytes of scripts`);
    assert.ok(styles <= 8 * KB, `${styles} bytes of style`);
  });

  it('name every source that memories may have', () => {
    const file = bundled.find(({ name }) => name === PRODUCTS_FILE);
    const { names } = JSON.parse(String(file?.body)) as Products;
    assert.equal(names['otter'], 'Otter');
    assert.equal(names['google-meet'], 'Google Meet');
    for (const format of formatNames) {
      const { length } = names[productOf(format) ?? format] ?? '';
      assert.ok(length > 0 && length < 20, `${format} has a short name`);
    }
  });

  it('are one script for the list, which imports nothing before it runs', () => {
    const first = bundled.filter(({ name }) => /^app-.*\.js$/.test(name));
    assert.equal(first.length, 1);
    const code = String(first[0]?.body);
    assert.doesNotMatch(code, /\bfrom ?"\.\/|\bimport ?"\.\//);
    const names = Array.from(code.matchAll(/\bimport\("\.\/([^"]+)"\)/g), ([, name]) =>
      String(name),
    );
    assert.ok(names.length >= 3, 'it loads the other screens later');
    for (const name of names)
      assert.ok(
        bundled.some((file) => file.name === name),
        name,
      );
  });

  it('load another screen with one script more, which needs none besides the first', () => {
    const first = bundled.find(({ name }) => /^app-.*\.js$/.test(name))?.name;
    const later = bundled.filter(({ name }) =>
      /^(?!app-|early-|consent-|worker\.).*\.js$/.test(name),
    );
    assert.ok(later.length >= 3);
    for (const { name, body } of later) {
      const imports = String(body).matchAll(/\b(?:from|import) ?"\.\/([^"]+)"/g);
      assert.deepEqual([...new Set(Array.from(imports, ([, each]) => each))], [first], name);
    }
  });

  it('have another 16 kB of script for the page about an OAuth client, which no other visit loads', async (t) => {
    const scripts = gzipped(/^consent-.*\.js$/);
    t.diagnostic(`${scripts} bytes of scripts`);
    assert.ok(scripts <= 16 * KB, `${scripts} bytes of scripts`);
    const scriptOf = async (path: string) =>
      /<script type="module" src="([^"]+)"/.exec(
        Buffer.from((await findAppFile(path))?.body ?? []).toString(),
      )?.[1] ?? '';
    assert.match(await scriptOf('consent'), /^consent-/);
    for (const path of ['', 'sign-in', 'settings/access'])
      assert.match(await scriptOf(path), /app-/);
  });

  it('have the licences of all that is bundled', () => {
    const licences = bundled.find(({ name }) => name === 'licences.txt')?.body.toString() ?? '';
    const named = Array.from(licences.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm), ([, name]) => name);
    assert.deepEqual(named, ['@preact/signals', '@preact/signals-core', 'preact']);
    for (const name of named)
      assert.ok(
        BESIDE.includes(`node_modules/${name}/`),
        `${name} is in the licences of the program`,
      );
  });

  it('never make markup or code of text', () => {
    for (const { name, body } of bundled.filter((file) => file.name.endsWith('.js'))) {
      const code = body.toString();
      assert.doesNotMatch(code, /\beval\(|new Function\(|document\.write|insertAdjacentHTML/, name);
    }
  });

  it('are the same bytes at every build', async () => {
    const again = await bundleApp();
    assert.deepEqual(
      again.map(({ name }) => name),
      bundled.map(({ name }) => name),
    );
  });

  it('are found by name, with a name that changes with the content', async () => {
    for (const { name, body } of bundled) {
      const file = await findAppFile(name);
      assert.ok(file !== undefined, name);
      assert.deepEqual(file.body, body, name);
      // Browsers look for another worker by the name of the one that they have.
      const isHashed = /\.(js|css)$/.test(name) && name !== 'worker.js';
      assert.equal(file.kind, isHashed ? 'hashed' : 'plain', name);
    }
    for (const absent of ['app-00000000.js', '../package.json', 'main.tsx', 'a.b/constructor'])
      assert.equal(await findAppFile(absent), undefined, absent);
    assert.equal((await findAppFile('constructor'))?.kind, 'missing');
  });

  it('are named relative to every address, so that any prefix works', async () => {
    const screens = new Set(ADDRESSES.map((path) => findScreen(path)?.name));
    assert.deepEqual(screens, new Set(Object.keys(SCREENS)), 'every screen has an address here');
    for (const path of ADDRESSES) {
      const shell = await findAppFile(path);
      assert.equal(shell?.kind, 'shell', path);
      const html = Buffer.from(shell?.body ?? []).toString();
      const links = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, link]) => link);
      assert.equal(links.length, path === 'consent' ? 5 : 6, path);
      for (const link of links) {
        const { pathname } = new URL(String(link), `http://host/prefix/app/${path}`);
        assert.ok(
          (await findAppFile(pathname.replace('/prefix/app/', ''))) !== undefined,
          pathname,
        );
      }
      assert.doesNotMatch(
        html,
        /<script(?! type="module" (?:async fetchpriority="high" )?src=)|<style|style=|\son\w+=/,
      );
    }
    // A reader who has typed a wrong address sees a page. Programs see its status.
    for (const typed of [
      'settings/',
      'settings/x',
      'm/',
      'calendar/x',
      'calendar/',
      'calendar/2026/',
      'nothing',
      'm',
      'days',
      'm/one/two',
      '%FF',
    ])
      assert.equal((await findAppFile(typed))?.kind, 'missing', typed);
    for (const absent of ['m/a/b/c', 'index.html', 'app-01234567.js', 'settings/x.js'])
      assert.equal(await findAppFile(absent), undefined, absent);
  });
});
