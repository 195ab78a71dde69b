// The keys of a list of links: j and k move the focus from one to the next, and o opens the one that has it.

import { useShortcuts } from './keyboard.ts';

/**
 * Has the keys while a screen is shown. `links` is the selector of the links, `what` is what each leads to, and
 * `open` says what opening one does.
 */
export function useRowKeys(links: string, what: string, open: string): void {
  useShortcuts([
    { keys: ['j', 'ArrowDown'], text: `Next ${what}`, run: () => focusNext(links, 1) },
    { keys: ['k', 'ArrowUp'], text: `Previous ${what}`, run: () => focusNext(links, -1) },
    {
      keys: ['o'],
      text: open,
      run: () => document.querySelector<HTMLElement>(`${links}:focus`)?.click(),
    },
  ]);
}

/** Moves the focus to the next link, or with -1 to the one before. The first one comes after anything else. */
export function focusNext(links: string, step: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(links)];
  const at = all.findIndex((link) => link === document.activeElement);
  all[Math.max(0, at + step)]?.focus();
}
