// An original of 60 MB: kept, served and given back with the same bytes.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';
import { createWorld } from '../support/world/world.ts';

const BYTES = 60_000_000;

describe('An original of 60 MB', () => {
  it('is kept, checked, served and given back with the same bytes', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', []);
    const folder = newFolder();
    // Comments, so that the words of the memory stay few. Numbers do not repeat, so they do not pack to nothing.
    const note = (n: number) => `NOTE ${n} ${hash('sha256', String(n))}\n\n`;
    const notes = Array.from({ length: BYTES / 75 }, (_, n) => note(n)).join('');
    const text = `WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ana>Hi.\n\n${notes}`;
    assert.ok(text.length > BYTES * 0.9);
    writeFileSync(join(folder, 'long.vtt'), text);
    const on = async (...args: string[]) => {
      const { code, stderr } = await run([...args, '--database', world.database]);
      assert.equal(code, 0, stderr);
    };
    await on('import', '--started-at', '2026-11-18T09:00:00Z', join(folder, 'long.vtt'));
    const sha256 = hash('sha256', text);
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${world.url}/v1/memories/long.vtt/original`, { headers });
    assert.equal(hash('sha256', new Uint8Array(await response.arrayBuffer())), sha256);
    await on('memories', 'original', 'long.vtt', '--output', join(folder, 'again.vtt'));
    await on('export', '--originals', join(folder, 'originals'));
    for (const name of ['again.vtt', 'originals/2026/2026-11-18/long.vtt'])
      assert.equal(hash('sha256', readFileSync(join(folder, name))), sha256, name);
    await on('verify');
  });
});
