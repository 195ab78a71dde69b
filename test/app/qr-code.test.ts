// QR codes of sign-in links: they hold the link, for this gateway only, on a page and in a terminal.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { encode } from 'uqr';
import * as v from 'valibot';

import { appRoutes } from '../../src/app/contract/app-routes.ts';
import { createAppWorld, jsonOf, NO_STORE } from '../support/app/app-world.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { issued } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';
import { createWorld } from '../support/world/world.ts';

/** The modules of a text's code, dark ones as `#`, with the quiet zone of the standard. */
function modulesOf(text: string): string[] {
  const { data } = encode(text, { ecc: 'M', border: 4 });
  return data.map((row) => row.map((isDark) => (isDark ? '#' : ' ')).join(''));
}

/** Draws an SVG path of rectangles, as a browser fills it. */
function draw({ size, path }: { readonly size: number; readonly path: string }): string[] {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => ' '));
  const rectangles = /M(\d+) (\d+)h(\d+)v1h-(\d+)z/g;
  assert.equal(path.replaceAll(rectangles, ''), '');
  for (const [, x, y, width, back] of path.matchAll(rectangles)) {
    assert.equal(width, back);
    rows[Number(y)]?.fill('#', Number(x), Number(x) + Number(width));
  }
  return rows.map((row) => row.join(''));
}

/** Reads the half blocks of a terminal, where what is printed is light. */
function readBlocks(lines: readonly string[]): string[] {
  const [upper, lower] = ['█▀', '█▄'];
  return lines.flatMap((line) =>
    [upper, lower].map((light) =>
      Array.from(line, (char) => (light.includes(char) ? ' ' : '#')).join(''),
    ),
  );
}

describe('The QR code of a sign-in link', () => {
  it('holds the link to the page that asked for it, under any prefix', async (t) => {
    const { signIn, port } = await createAppWorld(t);
    const opened = await signIn();
    for (const prefix of ['', '/a/memories']) {
      const page = `http://127.0.0.1:${port}${prefix}/app/sign-in`;
      const { secret, qr_code } = v.parse(
        appRoutes.links.create.output,
        jsonOf(await opened.post('/links', { page })),
      );
      assert.ok(qr_code !== null);
      assert.deepEqual(draw(qr_code), modulesOf(`${page}#${issued(secret)}`));
    }
    const { secret, qr_code } = jsonOf(await opened.post('/links'));
    issued(String(secret));
    assert.equal(qr_code, null);
  });

  it('leads to no other site and no other page, and nothing is made then', async (t) => {
    const { signIn, port } = await createAppWorld(t);
    const opened = await signIn();
    const here = `http://127.0.0.1:${port}`;
    const before = (await opened.get('/events')).text;
    for (const page of [
      'https://a.example/app/sign-in',
      `http://127.0.0.1:${port + 1}/app/sign-in`,
      `https://127.0.0.1:${port}/app/sign-in`,
      `${here}.a.example/app/sign-in`,
      `${here}@a.example/app/sign-in`,
      `${here}/app/settings/access`,
      `${here}/app/sign-in?next=x`,
      `${here}/app/sign-in#x`,
      `${here}/${'x'.repeat(500)}/app/sign-in`,
      'javascript:/app/sign-in',
      '/app/sign-in',
      7,
    ]) {
      const said = assertFailure(
        await opened.post('/links', { page }),
        422,
        String(page),
        NO_STORE,
      );
      assert.match(said, /^The property "page" takes the address of the sign-in page/);
    }
    assert.equal((await opened.get('/events')).text, before);
  });

  it('is printed by sign-in --qr, for an address that a phone can open', async (t) => {
    const world = await createWorld(t);
    const { database } = world;
    world.addAccount('ana');
    const signIn = (...args: readonly string[]) =>
      run(['sign-in', 'ana', '--qr', '--database', appAddress(database), ...args]);
    const { stdout, code, stderr } = await signIn('--base-url', 'https://a.example');
    assert.equal(code, 0, stderr);
    const lines = stdout.trimEnd().split('\n');
    const link = String(lines.pop());
    issued(link.replace('https://a.example/app/sign-in#', ''));
    const modules = modulesOf(link);
    const printed = readBlocks(lines);
    assert.deepEqual(printed.slice(0, modules.length), modules);
    assert.equal(printed.length, modules.length + 1, 'two rows make a line');
    const here = await signIn();
    assert.deepEqual([here.code, here.stdout], [2, '']);
    assert.match(here.stderr, /pass --host with the address in your network, or --base-url/);
  });
});
