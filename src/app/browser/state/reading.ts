// How the reader wants to read: the colours, the font and the time zone, kept in this browser.

import { effect, signal } from '@preact/signals';

import { APP } from './base.ts';
import { recall, remember } from './storage.ts';

/** The colours: those of the system, or always one of them. */
export const THEMES = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;

/** The fonts of transcripts. */
export const FONTS = { serif: 'Serif', sans: 'Sans serif' } as const;

/** The sizes of transcripts. */
export const SIZES = {
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
  larger: 'Largest',
} as const;

/** The widths of transcripts. */
export const WIDTHS = { narrow: 'Narrow', medium: 'Medium', wide: 'Wide' } as const;

/** When the numbers of lines are shown. */
export const NUMBERS = { near: 'When you point at a line', always: 'Always' } as const;

/** The chosen colours. */
export const theme = signal(read('theme', THEMES, 'system'));

/** The choices about transcripts, by the names of their attributes in the page. */
export const textChoices = {
  font: signal(read('font', FONTS, 'serif')),
  size: signal(read('size', SIZES, 'medium')),
  width: signal(read('width', WIDTHS, 'medium')),
  numbers: signal(read('numbers', NUMBERS, 'near')),
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

function read<T extends string>(name: string, choices: Readonly<Record<T, string>>, usual: T): T {
  const kept = recall(name) ?? '';
  return Object.hasOwn(choices, kept) ? (kept as T) : usual;
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
