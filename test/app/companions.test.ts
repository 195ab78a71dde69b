// Who takes part in memories, for the account of the session: with whom somebody does, by the folded name, and who speaks how much.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { readHues } from '../../src/app/server/hues.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { hueOf, huesOf } from '../../src/text/hues.ts';
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
  it('are those of the same memories, the most frequent first, whatever the case of the name, but for labels', async (t) => {
    const world = await createAppWorld(t);
    world.writer.memories.putReady([
      talk('ana', 'a', 'Zoë', 'Bo', 'Cleo'),
      talk('ana', 'b', 'ZOE', 'Cleo', 'cleo'),
      talk('ana', 'c', 'Bo', 'Dan'),
      talk('ana', 'd', 'Zoë', 'Speaker 1', 'SPEAKER_00', 'Unknown'),
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

describe('The colours of people', () => {
  it('are of those with the most memories of the account, each another one, in the app and on a saved page', async (t) => {
    const world = await createAppWorld(t);
    const [one, other] = ['Ines Berg', 'Mira Okafor'] as const;
    assert.equal(hueOf(one), hueOf(other));
    const both = memory({ id: 'b', transcript: `${one}: Yes.\n${other}: No.` });
    const people = [person(one), person(other), person('Speaker 1')];
    world.writer.memories.putReady([
      talk('ana', 'a', other),
      prepareMemory('ana', both, { read: readDetails({ people }) }),
      talk('bo', 'c', 'Eve'),
    ]);
    const browser = await world.signIn();
    const { hues } = JSON.parse((await browser.get('/me')).text) as { hues: string[] };
    assert.equal(hues.length, 8);
    assert.deepEqual(hues.filter(Boolean).toSorted(), [one, other]);
    assert.equal(hueOf(other, hues), hueOf(other), 'who is in more memories');
    const saved = { when: 'today', saved: 'today' };
    const { text } = await browser.post('/memories/b/page', saved);
    const shown = huesOf([one, other], hues);
    for (const name of [one, other])
      assert.ok(text.includes(`${shown.get(name)}\\">${name}`), text);
  });
});

describe('The colours of people who cannot be read', () => {
  it('are those of their names, so that the app opens', async () => {
    const people = { page: () => Promise.reject(new Error('The page is damaged.')) };
    const hues = await readHues({ gateway: { as: () => ({ people }) } } as never, 'ana');
    assert.equal(hueOf('Ines Berg', hues), hueOf('Ines Berg'));
  });
});

describe('The speakers of memories', () => {
  it('are those of the account who say something, the most words first, the eight of each memory who say most, and all others together', async (t) => {
    const world = await createAppWorld(t);
    const said = (id: string, ...words: number[]) =>
      prepareMemory(id === 'other' ? 'bo' : 'ana', memory({ id }), {
        read: readDetails({
          people: words.map((count, at) => person(`P${at}`, { words: count })),
        }),
      });
    world.writer.memories.putReady([
      said('a', 3, 0, 7),
      said('b', ...Array.from({ length: 10 }, (_, at) => 20 - at)),
      said('c'),
      said('other', 5),
    ]);
    const browser = await world.signIn();
    const of = async (...ids: string[]) => listOf(await browser.post('/people/speakers', { ids }));
    assert.deepEqual(await of('a', 'c', 'other', 'gone'), [
      { memory_id: 'a', name: 'P2', words: 7 },
      { memory_id: 'a', name: 'P0', words: 3 },
    ]);
    const both = await of('b', 'a');
    assert.equal(both.length, 11, 'eight of b, its others, and two of a');
    assert.deepEqual(both[8], { memory_id: 'b', name: null, words: 12 + 11 });
    assert.equal((await of('a', 'b', 'a')).length, 11, 'once, also for who asks twice');
    for (const ids of [[], ['..'], 'a', Array.from({ length: 101 }, () => 'a')])
      assertFailure(await browser.post('/people/speakers', { ids }), 422, '', NO_STORE);
  });
});

describe('The longest line of a person in a memory', () => {
  it('is one that the transcript has of them, whatever the case of the name', async (t) => {
    const world = await createAppWorld(t);
    const transcript = 'Bo: Hm.\nZoë: Well,\nthen.\nBo: Zoë: no.\nZOE: Yes.';
    const notes = 'Zoë: Ah.\n(Bo gets up and leaves.)\nBo:\nSee you.\nBye.';
    const long = `Bo: ${'far '.repeat(30_000)}\nZoë: Near.`;
    world.writer.memories.putAll('ana', [
      memory({ id: 'a', transcript }),
      memory({ id: 'notes', transcript: notes }),
      memory({ id: 'long', transcript: long }),
    ]);
    world.writer.memories.putAll('bo', [memory({ id: 'other', transcript })]);
    const browser = await world.signIn();
    const said = (memory_id: string, name: string) =>
      browser.post('/people/said', { memory_id, name });
    const saidBy = async (memory_id: string, name: string) =>
      JSON.parse((await said(memory_id, name)).text) as {
        readonly text: string;
        readonly line: number;
      };
    assert.deepEqual(
      await saidBy('a', 'zoe'),
      { text: 'Well,', line: 2 },
      'the first of equal ones',
    );
    assert.deepEqual(await saidBy('a', 'Bo'), { text: 'Zoë: no.', line: 4 });
    assert.deepEqual(
      await saidBy('notes', 'Zoë'),
      { text: 'Ah.', line: 1 },
      'not a note below the line of a name',
    );
    assert.deepEqual(
      await saidBy('notes', 'Bo'),
      { text: 'See you.', line: 4 },
      'below a name alone',
    );
    assert.deepEqual(await saidBy('a', 'Nobody'), { text: '', line: 0 });
    const { text, line } = await saidBy('long', 'Bo');
    assert.deepEqual([text.length, line], [300, 1]);
    assert.equal((await saidBy('long', 'Zoë')).text, '', 'beyond what is looked through');
    for (const id of ['other', 'gone']) assertFailure(await said(id, 'Zoë'), 404, '', NO_STORE);
    assertFailure(await said('a', ''), 422, '', NO_STORE);
  });
});
