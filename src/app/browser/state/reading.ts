// How the reader wants to read: the colours, the font and the time zone, kept in this browser.

import { effect, signal } from '@preact/signals';

import { APP } from './base.ts';
import { recall, remember } from './storage.ts';

/** The colours: those of the system, or always one of them. */
export const THEMES = { system: 'Same as the system', light: 'Light', dark: 'Dark' } as const;

/** The fonts of transcripts. */
export const FONTS = { serif: 'Serif', sans: 'Sans serif' } as const;

/** The chosen colours. */
export const theme = signal(read('theme', THEMES, 'system'));

/** The chosen font. */
export const font = signal(read('font', FONTS, 'serif'));

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone in which days and hours are shown, such as `Europe/Berlin`. */
export const zone = signal(readZone());

/** Applies the choices to the page from now on, and keeps them. */
export function startReading(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
    document.documentElement.dataset['font'] = font.value;
    remember('theme', theme.value);
    // The server writes it into the page, which would be light until the script has run.
    const age = theme.value === 'system' ? 0 : 3e8;
    document.cookie = `memories-theme=${theme.value}; path=${APP.pathname}; max-age=${age}; samesite=lax`;
    remember('font', font.value);
    remember('zone', zone.value === browserZone ? '' : zone.value);
  });
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
