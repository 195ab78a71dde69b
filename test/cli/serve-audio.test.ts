// serve --audio: which folder belongs to which account, and what is no folder.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { fullDetails } from '../support/world/details.ts';
import { run, start, stop, waitFor } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

/** Creates accounts that each have a memory "talk" with the recording a.mp3, and a folder for each. */
async function createFamily(t: TestContext, ...names: string[]) {
  const world = await createWorld(t);
  const root = newFolder();
  const keys = names.map((name) => {
    const key = world.addAccount(name, []);
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'a.mp3'), `sound of ${name}`);
    const details = fullDetails({ audio: 'a.mp3' });
    world.writer.memories.putReady([prepareMemory(name, memory({ id: 'talk' }), details)]);
    return key;
  });
  const args = ['serve', '--database', world.database, '--port', '0'];
  return { root, keys, args };
}

/** Serves, and returns what each key gets as its recording. */
async function heard(t: TestContext, args: readonly string[], keys: readonly string[]) {
  const child = start(args);
  t.after(() => stop(child, 'SIGKILL'));
  const [url] = /http:\/\/[\d.:]+/.exec(await waitFor(child, 'stdout', /"listening"/)) ?? [];
  const answers = keys.map(async (key) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/v1/memories/talk/audio`, { headers });
    return response.ok ? response.text() : response.status;
  });
  return Promise.all(answers);
}

describe('serve --audio', () => {
  it('takes one folder for the only account, and one for each of several', async (t) => {
    const one = await createFamily(t, 'ana');
    const folder = join(one.root, 'ana');
    assert.deepEqual(await heard(t, [...one.args, '--audio', folder], one.keys), ['sound of ana']);
    const { root, keys, args } = await createFamily(t, 'ana', 'bo', 'cy');
    const named = ['ana', 'bo'].map((name) => `--audio=${name}=${join(root, name)}`);
    assert.deepEqual(await heard(t, [...args, ...named], keys), [
      'sound of ana',
      'sound of bo',
      404,
    ]);
    const chosen = ['--account', 'bo', '--audio', join(root, 'bo')];
    assert.deepEqual(await heard(t, [...args, ...chosen], keys), [404, 'sound of bo', 404]);
  });

  it('refuses a folder of nobody, two of an account, and what is no folder', async (t) => {
    const { root, args } = await createFamily(t, 'ana', 'bo');
    for (const [given, code, said] of [
      [[root], 2, /Give --account ACCOUNT, one of ana .*, bo/],
      [[`ana=${root}`, `ana=${root}/ana`], 2, /--audio names two folders of account ana/],
      [[`zoe=${root}`], 1, /There is no account "zoe"/],
      [[''], 2, /--audio takes the path of a folder/],
      [[`ana=${root}/ana`, ''], 2, /--audio takes the path of a folder/],
      [[`ana=${root}/none`], 1, /There is no folder .*none; pass the folder/],
      [[`ana=${root}/ana/a.mp3`], 1, /There is no folder .*a\.mp3/],
    ] as const) {
      const result = await run([...args, ...given.map((each) => `--audio=${each}`)]);
      assert.deepEqual([result.code, said.test(result.stderr)], [code, true], result.stderr);
    }
  });
});
