// The keyboard: what is shown has shortcuts, and one listener finds the one of a key.

import { effect, signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';

import { recall, remember } from '../state/storage.ts';
import { findShortcut, keyName, type Focus, type Shortcut } from './shortcuts.ts';

/** Where shortcuts work: on every screen, or on the one that has them. */
export type Where = 'everywhere' | 'screen';

/** Whether keys of one letter do something (WCAG 2.1.4). */
export const hasLetters = signal(recall('letters') !== 'off');

/** Whether ⌘ takes the place of Ctrl. */
export const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform);

interface Entry {
  readonly order: number;
  readonly scope: Where;
  shortcuts: readonly Shortcut[];
}

const entries = new Set<Entry>();
let count = 0;

/** Has shortcuts while a component is shown. What is inside a component wins over the component. */
export function useShortcuts(own: readonly Shortcut[], scope: Where = 'screen'): void {
  // Components render before those inside them, so these have higher numbers.
  const [entry] = useState<Entry>(() => ({ order: (count += 1), scope, shortcuts: own }));
  entry.shortcuts = own;
  useLayoutEffect(() => {
    entries.add(entry);
    return () => {
      entries.delete(entry);
    };
  }, []);
}

/** Returns the shortcuts that work now, or those of one scope, those that win last. */
export function currentShortcuts(one?: Where): Shortcut[] {
  return Array.from(entries)
    .filter(({ scope }) => scope === (one ?? scope))
    .toSorted((a, b) => a.order - b.order)
    .flatMap(({ shortcuts }) => shortcuts);
}

/** The key before, and when it was pressed. */
let before = '';
let at = 0;
const PAUSE_MS = 1500;

/** Listens to the keyboard from now on. */
export function startKeyboard(): void {
  effect(() => remember('letters', hasLetters.value ? '' : 'off'));
  addEventListener('keydown', (event) => {
    const found = event.defaultPrevented ? undefined : find(event);
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  });
}

const UNSELECT: Shortcut = {
  keys: ['Escape'],
  text: '', // no screen lists it
  run: () => getSelection()?.removeAllRanges(),
};

function find(event: KeyboardEvent): Shortcut | undefined {
  const name = keyName(event, isApple);
  if (name === undefined) return undefined;
  const focus = focusOf(event.target);
  const pair = `${event.timeStamp - at < PAUSE_MS ? before : ''} ${name}`;
  // What somebody types does not begin a pair.
  before = focus === 'text' && name !== 'Escape' ? '' : name;
  at = event.timeStamp;
  // A dialog and a menu have keys of their own.
  if (document.querySelector('dialog[open], :popover-open') !== null) return undefined;
  // What is selected comes before what is open.
  if (name === 'Escape' && focus !== 'text' && getSelection()?.type === 'Range') return UNSELECT;
  const situation = { focus, hasLetters: hasLetters.value, isRepeat: event.repeat };
  const all = currentShortcuts();
  const found = findShortcut(all, pair, situation) ?? findShortcut(all, name, situation);
  // Who presses Esc twice, out of habit, wants to close something, and not to leave.
  return pair === 'Escape Escape' && found?.text === 'Back' ? undefined : found;
}

/** Returns what kind of element has the focus. */
export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof HTMLElement)) return 'other';
  if (target.matches('[type=radio], [type=checkbox]')) return 'choice';
  if (target.isContentEditable || target.matches('input, textarea, select')) return 'text';
  return target.closest('a[href], button, summary') === null ? 'other' : 'press';
}

/** Whether the list of the keys is open. */
export const isSheetOpen = signal(false);

/** Opens the list of the keys, or closes it. */
export function toggleSheet(): void {
  isSheetOpen.value = !isSheetOpen.value;
}
