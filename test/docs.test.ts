// What the reference page is made of: a fixed list of files under a strict policy. What it does is in browser/.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { createDocs, VIEWER_FILES } from '../src/gateway/docs.ts';
import { newFolder } from './support/left.ts';
import { ROOT, run } from './support/program.ts';
import { send } from './support/wire.ts';
import { createWorld } from './support/world.ts';

const docsFile = createDocs();

describe('What the reference page is made of', () => {
  it('comes under a policy that lets in nothing inline and nothing from elsewhere', async () => {
    const page = docsFile('');
    assert.equal(page?.type, 'text/html; charset=utf-8');
    const at = page.headers.indexOf('content-security-policy');
    const policy = String(page.headers[at + 1]);
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /unsafe|\*|http/);
    assert.equal(page.headers[page.headers.indexOf('referrer-policy') + 1], 'no-referrer');
    const html = new TextDecoder().decode(page.body);
    assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|style=| on\w+=/);
    for (const [, address] of html.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)) {
      assert.match(String(address), /^(docs\/[\w.-]+|openapi\.json)$/);
      if (address !== 'openapi.json')
        assert.ok(docsFile(String(address).slice(5)), String(address));
    }
  });

  it('is found by those who type a slash at its end', async (t) => {
    const { port } = await createWorld(t);
    const there = await send(port, { path: '/docs/' });
    assert.equal(there.status, 308);
    const target = new URL(String(there.headers['location']), `http://127.0.0.1:${port}/docs/`);
    assert.equal(target.pathname, '/docs');
  });

  it('is a fixed list of names, each read once', async () => {
    for (const name of ['start.js', 'style.css', ...VIEWER_FILES]) {
      const first = docsFile(name);
      assert.ok(first !== undefined && first.body.length > 0, name);
      assert.equal(docsFile(name), first, name);
    }
    for (const name of ['page.html', '../package.json', 'index.html', '__proto__', '/', 'NOTICE/'])
      assert.equal(docsFile(name), undefined, name);
  });

  it('carries the licence of the viewer', async () => {
    const licence = docsFile('LICENSE');
    assert.equal(licence?.type, 'text/plain; charset=utf-8');
    assert.match(new TextDecoder().decode(licence.body), /Apache License/);
  });

  it('is copied into the built package by the build', async () => {
    const folder = join(newFolder(), 'viewer');
    assert.equal((await run([folder], { script: 'scripts/viewer.ts' })).code, 0);
    const names = ['start.js', 'style.css', ...VIEWER_FILES];
    assert.deepEqual(readdirSync(folder).toSorted(), ['page.html', ...names].toSorted());
    for (const name of names) {
      const served = docsFile(name);
      assert.deepEqual(readFileSync(join(folder, name)), served?.body, name);
    }
    const { scripts, files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    assert.match(scripts.build, /scripts\/viewer\.ts\b/);
    assert.ok(files.includes('dist'));
  });
});
