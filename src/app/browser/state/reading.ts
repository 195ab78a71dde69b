// How the reader wants to read: the colours, the font and the time zone, kept in this browser.

import { effect, signal } from '@preact/signals';

import { APP } from './base.ts';
import { recall, remember } from './storage.ts';

/** The chosen colours: those of the system, or always one of them. */
export const theme = signal(read('theme', ['system', 'light', 'dark']));

/** The choices about transcripts, by the names of their attributes in the page. */
export const textChoices = {
  font: signal(read('font', ['serif', 'sans'])),
  size: signal(read('size', ['medium', 'small', 'large', 'larger'])),
  width: signal(read('width', ['medium', 'narrow', 'wide'])),
  numbers: signal(read('numbers', ['near', 'always'])),
};

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone in which days and hours are shown, such as `Europe/Berlin`. */
export const zone = signal(readZone());

/** Applies the choices to the page from now on, and keeps them. */
export function startReading(): void {
  // Each for itself, so that a choice of another tab stays when something else is chosen in this one.
  for (const [name, choice] of Object.entries({ theme, ...textChoices }))
    effect(() => {
      document.documentElement.dataset[name] = choice.value;
      remember(name, choice.value);
    });
  effect(() => {
    // The server writes it into the page, which would be light until the script has run.
    const age = theme.value === 'system' ? 0 : 3e8;
    document.cookie = `memories-theme=${theme.value}; path=${APP.pathname}; max-age=${age}; samesite=lax`;
  });
  effect(() => remember('zone', zone.value === browserZone ? '' : zone.value));
}

/** Returns the pixels of a rem. Larger text in the browser makes it more. */
export function rem(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** Returns what was chosen, or the first of the choices, which is the usual one. */
function read<const T extends string>(name: string, choices: readonly [T, ...T[]]): T {
  return choices.find((each) => each === recall(name)) ?? choices[0];
}

function readZone(): string {
  const kept = recall('zone');
  return kept !== undefined && isZone(kept) ? kept : browserZone;
}

function isZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return /^[a-z]/i.test(name); // the API has no offsets
  } catch {
    return false;
  }
}
