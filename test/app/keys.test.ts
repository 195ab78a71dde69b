// What key presses mean on the pages, on every layout, and which keys fields and buttons have for themselves.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  findShortcut,
  keyName,
  symbolsOf,
  type Focus,
  type Press,
  type Shortcut,
} from '../../src/app/browser/keyboard/shortcuts.ts';

const press = (key: string, held = '', more: Partial<Press> = {}): Press => ({
  key,
  code: '',
  ctrlKey: held.includes('Ctrl'),
  metaKey: held.includes('Meta'),
  altKey: held.includes('Alt'),
  shiftKey: held.includes('Shift'),
  isComposing: false,
  getModifierState: () => false,
  ...more,
});

const shortcut = (keys: string, more: Partial<Shortcut> = {}): Shortcut => ({
  keys: keys.split(', '),
  text: keys,
  run: () => undefined,
  ...more,
});

describe('A key press', () => {
  it('has the name of its character, however it is typed', () => {
    assert.equal(keyName(press('j'), false), 'j');
    assert.equal(keyName(press('?', 'Shift'), false), '?');
    assert.equal(keyName(press('/', 'Shift'), false), '/'); // a German layout
    assert.equal(keyName(press('ArrowDown'), false), 'ArrowDown');
    assert.equal(keyName(press('J'), false), 'j', 'Caps Lock');
  });

  it('is another one with Shift, unless Shift types the character', () => {
    assert.equal(keyName(press('J', 'Shift'), false), 'shift+j');
    assert.equal(keyName(press('Enter', 'Shift'), false), 'shift+Enter');
    assert.equal(keyName(press('K', 'Ctrl Shift'), false), 'mod+shift+k', 'the console of Firefox');
  });

  it('with AltGr is the character, which Windows reports with Ctrl and Alt', () => {
    const getModifierState = (name: string) => name === 'AltGraph';
    assert.equal(keyName(press('[', 'Ctrl Alt', { getModifierState }), false), '[');
  });

  it('has the Latin letter of its place on layouts without Latin letters', () => {
    assert.equal(keyName(press('о', '', { code: 'KeyJ' }), false), 'j');
    assert.equal(keyName(press('л', 'Ctrl', { code: 'KeyK' }), false), 'mod+k');
    assert.equal(keyName(press('ö', '', { code: 'Semicolon' }), false), 'ö');
    assert.equal(keyName(press('a', '', { code: 'KeyQ' }), false), 'a', 'a French layout');
  });

  it('is none of ours with Alt, in an input method, of a dead key, or of a key that types nothing', () => {
    assert.equal(keyName(press('j', 'Alt'), false), undefined);
    assert.equal(keyName(press('Enter', '', { isComposing: true }), false), undefined);
    for (const key of ['Dead', 'Shift', 'CapsLock', 'Process'])
      assert.equal(keyName(press(key), false), undefined, key);
  });

  it('takes ⌘ on Apple’s systems and Ctrl on others, and leaves the other one alone', () => {
    assert.equal(keyName(press('k', 'Meta'), true), 'mod+k');
    assert.equal(keyName(press('k', 'Ctrl'), true), undefined, 'deletes the rest of a line there');
    assert.equal(keyName(press('k', 'Ctrl'), false), 'mod+k');
    assert.equal(keyName(press('k', 'Meta'), false), undefined);
  });
});

describe('The shortcut of a key', () => {
  const all = [
    shortcut('u, Escape'),
    shortcut('j, ArrowDown'),
    shortcut('Enter, o'),
    shortcut('g l'),
    shortcut('?'),
    shortcut('mod+k', { inFields: true }),
    shortcut('e'),
  ];
  const find = (name: string, focus: Focus = 'other', more = {}) =>
    findShortcut(all, name, { focus, hasLetters: true, isRepeat: false, ...more })?.text;

  it('is the one of the innermost component', () => {
    const inner = shortcut('u');
    const situation = { focus: 'other', hasLetters: true, isRepeat: false } as const;
    assert.equal(findShortcut([...all, inner], 'u', situation), inner);
    assert.equal(findShortcut([...all, inner], 'Escape', situation), all[0]);
    const idle = { ...inner, isIdle: true };
    assert.equal(findShortcut([...all, idle], 'u', situation), all[0], 'it is only listed');
  });

  it('does not exist in a field for text, unless it says so', () => {
    for (const name of ['j', 'ArrowDown', 'Enter', 'Escape', 'g l', '?'])
      assert.equal(find(name, 'text'), undefined, name);
    assert.equal(find('mod+k', 'text'), 'mod+k');
  });

  it('leaves Enter to links and buttons', () => {
    assert.equal(find('Enter', 'press'), undefined);
    assert.equal(find('o', 'press'), 'Enter, o');
    assert.equal(find('Enter'), 'Enter, o');
  });

  it('leaves arrows to choices, where letters still work', () => {
    assert.equal(find('ArrowDown', 'choice'), undefined);
    assert.equal(find('Enter', 'choice'), undefined);
    for (const name of ['?', 'g l', 'Escape']) assert.notEqual(find(name, 'choice'), undefined);
  });

  it('needs more than one character if single letters are off', () => {
    for (const name of ['j', '?', 'o', 'g l', 'e', 'u'])
      assert.equal(find(name, 'other', { hasLetters: false }), undefined, name);
    for (const name of ['ArrowDown', 'Enter', 'Escape', 'mod+k'])
      assert.notEqual(find(name, 'other', { hasLetters: false }), undefined, name);
  });

  it('repeats only if it moves, while the key is held down', () => {
    assert.equal(find('j', 'other', { isRepeat: true }), 'j, ArrowDown');
    assert.equal(find('e', 'other', { isRepeat: true }), undefined);
    assert.equal(find('u', 'other', { isRepeat: true }), undefined);
  });

  it('is shown as keyboards have it', () => {
    assert.deepEqual(symbolsOf('g l', false), ['g', 'l']);
    assert.deepEqual(symbolsOf('mod+k', false), ['Ctrl+K']);
    assert.deepEqual(symbolsOf('mod+k', true), ['⌘K']);
    assert.deepEqual(symbolsOf('ArrowDown', false), ['↓']);
  });
});
