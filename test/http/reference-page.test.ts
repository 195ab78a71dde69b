// The files of the reference page: a fixed list under a strict policy. test/browser/ tests the page itself.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { createDocs, VIEWER_FILES } from '../../src/gateway/public/docs.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { ROOT, runProcess } from '../support/world/program.ts';
import { createWorld } from '../support/world/world.ts';

const docsFile = createDocs(false);

describe('The reference page', () => {
  it('has a policy that allows nothing inline and nothing from other hosts', async () => {
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

  it('is also found with a slash at the end', async (t) => {
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

  it('includes the licence of the viewer', async () => {
    const licence = docsFile('LICENSE');
    assert.equal(licence?.type, 'text/plain; charset=utf-8');
    assert.match(new TextDecoder().decode(licence.body), /Apache License/);
  });

  it('is in the built package', async () => {
    const folder = join(newFolder(), 'viewer');
    assert.equal((await runProcess([folder], { script: 'scripts/viewer.ts' })).code, 0);
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
