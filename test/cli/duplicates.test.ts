// duplicates: which memories are listed as the same recording, and which are not.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { fullDetails } from '../support/world/details.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

const HEARD =
  'We move the shelf to the wall. Then the fridge fits, and the door opens all the way.';
const SIMILAR =
  'Tomas: We move the shelf to a wall. Then\nMira: the fridge fits and this door opens all the way';
const OTHER =
  'Mira: The invoice is due on Friday. Ask the printer whether the second proof is ready by noon.';

/** Creates recordings, each from a minute of one hour to another, with its product and words. */
async function createRecordings(
  t: TestContext,
  ...all: [id: string, from: number, to: number, product: string, transcript: string][]
) {
  const world = await createWorld(t);
  const { writer, database } = world;
  world.addAccount('ana');
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 18, 9, minute)).toISOString();
  for (const [id, from, to, product, transcript] of all) {
    const fields = { id, started_at: at(from), ended_at: at(to), transcript };
    const source = { product, format: product, id, url: null };
    const details = fullDetails({ source });
    writer.memories.putReady([prepareMemory('ana', memory(fields), details)]);
  }
  return (...args: string[]) => run(['duplicates', '--database', database, ...args]);
}

describe('duplicates', () => {
  it('lists two memories whose times overlap and whose words are equal, with ids, names and sources', async (t) => {
    const list = await createRecordings(
      t,
      ['later', 5, 40, 'fireflies', SIMILAR],
      ['first', 0, 30, 'limitless', HEARD],
    );
    const { code, stdout, stderr } = await list();
    assert.equal(code, 0, stderr);
    // 13 of the 17 pairs of words are equal: all but those with "the wall" and "the door".
    assert.deepEqual(
      stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|').trim()),
      [
        'EQUAL|STARTED|SOURCE|ID|NAME',
        '76 %|2026-11-18 09:00Z|limitless|first|Memory first',
        '|2026-11-18 09:05Z|fireflies|later|Memory later',
        '',
      ],
    );
    assert.match(
      stderr,
      /Nothing was deleted\. To delete one of a pair, run: memory-gateway memories delete ID --account ana --database \S+\n/,
    );
    const [pair, ...more] = JSON.parse((await list('--json')).stdout);
    assert.deepEqual(more, []);
    assert.equal(pair.equal, 0.76);
    const start = '2026-11-18T09:00:00.000Z';
    const first = { id: 'first', name: 'Memory first', source: 'limitless', started_at: start };
    assert.deepEqual(pair.memories[0], { ...first, ended_at: '2026-11-18T09:30:00.000Z' });
    assert.equal(pair.memories[1].id, 'later');
  });

  it('lists none with other words, at another time, or with too few words to tell', async (t) => {
    const list = await createRecordings(
      t,
      ['a', 0, 30, 'limitless', HEARD],
      ['other', 5, 40, 'fireflies', OTHER],
      ['afterwards', 41, 50, 'fireflies', HEARD],
      ['short', 41, 50, 'limitless', 'Yes. Thank you.'],
      ['also-short', 41, 50, 'fireflies', 'Yes. Thank you.'],
      ['silent', 0, 50, 'fireflies', ''],
    );
    const { code, stdout } = await list();
    assert.deepEqual([code, stdout], [0, 'No two memories are of the same recording.\n']);
    assert.equal((await list('--json')).stdout, '[]\n');
  });

  it('finds a part of a long recording, and each pair of three', async (t) => {
    const list = await createRecordings(
      t,
      ['day', 0, 600, 'limitless', `${OTHER}\n${HEARD}\n${OTHER.toUpperCase()}`],
      ['meeting', 60, 90, 'fireflies', HEARD],
      ['note', 61, 62, 'plaud', `Plaud: ${HEARD}`],
    );
    const found: { memories: { id: string }[] }[] = JSON.parse((await list('--json')).stdout);
    assert.deepEqual(
      found.map(({ memories }) => memories.map(({ id }) => id).join(' ')),
      ['day meeting', 'day note', 'meeting note'],
    );
  });

  it('compares each memory with 100 others, and says how many overlap more than these', async (t) => {
    const crowd = Array.from({ length: 104 }, (_, i) => `m${String(i).padStart(3, '0')}`);
    const list = await createRecordings(
      t,
      ...crowd.map((id): [string, number, number, string, string] => {
        const words = id === 'm002' || id === 'm103' ? HEARD : `${id} `.repeat(20);
        return [id, 0, id === 'm102' ? 60 : 30, 'plaud', words];
      }),
      ['later', 59, 60, 'limitless', OTHER],
    );
    const { stdout, stderr } = await list();
    // The last three of the crowd overlap 101 to 103 others. So m103 is not compared with m002.
    assert.equal(stdout, 'No two memories are of the same recording.\n');
    assert.match(
      stderr,
      /3 memories overlap more than 100 others: only the last 100 to start were compared\.\n/,
    );
  });
});
