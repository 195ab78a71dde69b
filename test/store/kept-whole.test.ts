// Originals and details: a copy to either engine has them byte for byte, and verify finds what is wrong with them.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { connectGateway } from '../../src/gateway/open.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { engine, engines, type Engine } from '../support/engines/engine.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { fullDetails, person } from '../support/world/details.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

/** Every byte, and more of them than a page of a database has. */
const BYTES = Uint8Array.from({ length: 20_000 }, (_, i) => (i * 7 + (i >> 8)) % 256);

const TEXT = 'Änne: Guten Tag.\nand more.\nBo\u0301: Hallo.';

const DETAILS = {
  ...fullDetails({
    language: 'de',
    line_starts_ms: [0, null, 2300],
    audio: 'talks/one.m4a',
    people: [person('Änne', { role: 'organiser', email: 'a@example.com' }), person('Bo\u0301')],
    tags: [{ name: '学', kind: 'tag' as const }],
  }),
  original: { media_type: 'application/json', bytes: BYTES, reading: '{}' },
};

/** Creates a database of the run's engine with two memories of one original, and one that has none. */
async function createWhole(t: TestContext) {
  const { database, writer, ...world } = await createWorld(t);
  world.addAccount('ana', [memory({ id: 'bare' })]);
  for (const id of ['one', 'two'])
    writer.memories.putReady([prepareMemory('ana', memory({ id, transcript: TEXT }), DETAILS)]);
  return database;
}

/** Reads the details of all memories, and the originals of those that have one. */
async function readAll(database: string) {
  const gateway = await connectGateway({ database });
  const { memories } = gateway.as('ana');
  try {
    const details = ['bare', 'one', 'two'].map((memory_id) => memories.details({ memory_id }));
    const originals = ['one', 'two'].map((memory_id) => memories.original({ memory_id }));
    return { details: await Promise.all(details), originals: await Promise.all(originals) };
  } finally {
    await gateway.close();
  }
}

/** Copies a database with the program to another one of an engine, and returns it. */
async function copyTo(t: TestContext, from: string, to: Engine): Promise<string> {
  const isFile = to === engines.sqlite;
  const target = isFile ? join(newFolder(), 'copy.db') : to.create(t, newFolder());
  const { code, stderr } = await run(['copy', '--from', from, '--to', target]);
  assert.equal(code, 0, stderr);
  return target;
}

describe('Originals and details', () => {
  it('are in a copy to the same engine, and in one to a file and back, byte for byte', async (t) => {
    const database = await createWhole(t);
    const whole = await readAll(database);
    for (const bytes of whole.originals) assert.ok(Buffer.from(bytes).equals(BYTES));
    assert.deepEqual(whole.details[1]?.line_starts_ms, [0, null, 2300]);
    const file = await copyTo(t, database, engines.sqlite);
    for (const copy of [await copyTo(t, database, engine), file, await copyTo(t, file, engine)]) {
      assert.deepEqual(await readAll(copy), whole);
      const verified = await run(['verify', '--database', copy]);
      assert.equal(verified.code, 0, verified.stderr + verified.stdout);
    }
  });

  for (const [what, sql, says] of [
    [
      'an original that is missing',
      'DELETE FROM originals',
      /details of memory one of account ana name an original that is missing/,
    ],
    [
      'an original with other bytes',
      "UPDATE originals SET compressed = (SELECT body FROM details WHERE memory_id = 'one')",
      /Original [0-9a-f]{64} of account ana is damaged/,
    ],
  ] as const)
    it(`have ${what} found by verify`, async (t) => {
      const database = await createWhole(t);
      engine.edit(database, sql);
      const { code, stdout, stderr } = await run(['verify', '--database', database]);
      assert.equal(code, 1);
      assert.match(stdout + stderr, says);
    });
});
