// With whom somebody takes part in memories: counted for the account of the session, by the folded name.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { createAppWorld, listOf, NO_STORE } from '../support/app/app-world.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { person, readDetails } from '../support/world/details.ts';
import { memory } from '../support/world/world.ts';

/** A memory in which people take part. */
const talk = (account: string, id: string, ...people: string[]) =>
  prepareMemory(account, memory({ id }), {
    read: readDetails({ people: people.map((name) => person(name)) }),
  });

describe('The companions of a person', () => {
  it('are those of the same memories, the most frequent first, whatever the case of the name', async (t) => {
    const world = await createAppWorld(t);
    world.writer.memories.putReady([
      talk('ana', 'a', 'Zoë', 'Bo', 'Cleo'),
      talk('ana', 'b', 'ZOE', 'Cleo', 'cleo'),
      talk('ana', 'c', 'Bo', 'Dan'),
      talk('ana', 'd', 'Zoë'),
      talk('bo', 'e', 'Zoë', 'Eve'),
    ]);
    const browser = await world.signIn();
    const of = async (name: string) => listOf(await browser.post('/people/companions', { name }));
    const expected = [
      { name: 'Cleo', memories: 2 },
      { name: 'Bo', memories: 1 },
    ];
    assert.deepEqual(await of('Zoë'), expected);
    assert.deepEqual(await of('zoe'), expected);
    assert.deepEqual(await of('Nobody'), []);
    for (const name of ['', 5, 'x'.repeat(1001)])
      assertFailure(await browser.post('/people/companions', { name }), 422, '', NO_STORE);
  });
});
