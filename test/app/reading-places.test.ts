// Where memories were read: what the browser keeps for an account.

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';

import { notePlace, placeOf, placesInside } from '../../src/app/browser/state/places.ts';

/** A storage of a browser. */
function createStorage() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
  };
}

describe('The place where a memory was read', () => {
  let storage = createStorage();
  beforeEach(() => {
    storage = createStorage();
    Object.assign(globalThis, { localStorage: storage, sessionStorage: storage });
  });

  it('is kept by account, and has no texts', () => {
    notePlace('mira', 'plan', { line: 12, hash: 'k3f9', share: 0.37, isRead: true });
    assert.deepEqual(placeOf('mira', 'plan'), { line: 12, hash: 'k3f9', share: 0.37 });
    assert.equal(placeOf('tomas', 'plan'), undefined);
    assert.deepEqual(
      [...storage.values],
      [['memories.places.mira', '[["plan",12,"k3f9",0.37,true]]']],
    );
  });

  it('is the latest one, until the memory was read to the end', () => {
    const at = (line: number, share: number) =>
      notePlace('mira', 'plan', { line, hash: 'k3f9', share, isRead: true });
    at(50, 0.5);
    at(20, 0.2);
    assert.equal(placeOf('mira', 'plan')?.line, 20);
    at(100, 1);
    at(1, 0.1);
    assert.equal(placeOf('mira', 'plan')?.share, 1);
  });

  it('is offered to go on only if somebody has not merely looked into the memory', () => {
    const at = (id: string, isRead: boolean) =>
      notePlace('mira', id, { line: 5, hash: 'k3f9', share: 0.4, isRead });
    at('looked', false);
    at('read', true);
    at('read', false); // and has looked again
    assert.equal(placeOf('mira', 'looked')?.line, 5);
    assert.deepEqual(
      placesInside('mira', 2).map(({ id }) => id),
      ['read'],
    );
  });

  it('is forgotten after a thousand other memories', () => {
    for (let i = 0; i <= 1000; i++)
      notePlace('mira', `m${i}`, { line: 1, hash: 'k3f9', share: 0.1, isRead: true });
    assert.equal(placeOf('mira', 'm0'), undefined);
    assert.notEqual(placeOf('mira', 'm1'), undefined);
  });

  it('is unknown if the storage has anything else, or is refused', () => {
    for (const text of ['', 'x', '{}', '[1]', '[["plan","12","k3f9",0.3]]', 'null']) {
      storage.values.set('memories.places.mira', text);
      assert.equal(placeOf('mira', 'plan'), undefined, text);
    }
    Object.assign(globalThis, { localStorage: undefined });
    notePlace('mira', 'plan', { line: 1, hash: 'k3f9', share: 0.1, isRead: true });
    assert.equal(placeOf('mira', 'plan'), undefined);
  });
});
