// memories original: the bytes that a memory was made from, and why there are none.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { engine } from '../support/engines/engine.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { fullDetails } from '../support/world/details.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

const TEXT = 'Ana: Hüm.\r\n\u001b[2J';
const SHA256 = '8b545d4e96d1a0a4e4a1cd64af2dc7fce329fcc154253cb519d93719e4fb3d6e';

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  const { writer, database } = world;
  world.addAccount('ana', [memory({ id: 'none' })]);
  const talk = prepareMemory('ana', memory({ id: 'talk' }), fullDetails({}, TEXT));
  writer.memories.putReady([talk]);
  const original = (...args: string[]) =>
    run(['memories', 'original', ...args, '--database', database]);
  return { database, original };
}

describe('memories original', () => {
  it('writes the bytes unchanged, and says what they are beside them', async (t) => {
    const { original } = await createAna(t);
    const { code, stdout, stderr } = await original('talk');
    assert.deepEqual([code, stdout], [0, TEXT]);
    assert.equal(stderr, `Wrote 16 bytes of text/plain; the SHA-256 is ${SHA256}.\n`);
  });

  it('writes a file, and replaces one only with --overwrite', async (t) => {
    const { original } = await createAna(t);
    const file = join(newFolder(), 'talk.txt');
    const written = await original('talk', '--output', file);
    assert.deepEqual([written.code, written.stdout], [0, '']);
    assert.equal(readFileSync(file, 'utf8'), TEXT);
    writeFileSync(file, 'mine');
    const refused = await original('talk', '--output', file);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /exists already; give another name, or add --overwrite/);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
    assert.equal((await original('talk', '--output', file, '--overwrite')).code, 0);
    assert.equal(readFileSync(file, 'utf8'), TEXT);
    assert.equal((await original('talk', '--overwrite')).code, 2);
  });

  it('tells a memory without an original from one that does not exist', async (t) => {
    const { original } = await createAna(t);
    const none = await original('none');
    assert.deepEqual([none.code, none.stdout], [1, '']);
    assert.match(none.stderr, /No original of memory none was kept; import its file again/);
    const nowhere = await original('nowhere');
    assert.deepEqual([nowhere.code, nowhere.stdout], [1, '']);
    assert.match(nowhere.stderr, /There is no such memory in account ana/);
  });

  it('writes nothing of a damaged original, and says how to find the damage', async (t) => {
    const { original, database } = await createAna(t);
    engine.edit(database, `UPDATE originals SET bytes = 1`);
    const file = join(newFolder(), 'talk.txt');
    const { code, stdout, stderr } = await original('talk', '--output', file);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /is intact, but its original is damaged.*verify/);
    assert.throws(() => readFileSync(file), { code: 'ENOENT' });
  });
});
