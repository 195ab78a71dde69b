// The formats of times in the language of this browser and the time zone of the reader.

import { computed } from '@preact/signals';

import { addDays, columnOf, weekStartOf } from './dates.ts';
import { createFormats, languageOf } from './format.ts';
import { zone } from './state/reading.ts';

const formatsIn = (name: string) =>
  createFormats({ language: languageOf(navigator.languages), zone: name });

/** Formats of plain dates such as `2026-11-18`, which are midnight in UTC. No time zone can move them. */
export const dates = computed(() => formatsIn('UTC'));

/** Formats for the reader. */
export const formats = computed(() => formatsIn(zone.value));

/** Returns the date of today in the time zone of the reader, such as `2026-11-18`. */
export function today(): string {
  return formats.value.dayOf(new Date().toISOString());
}

/** On which day weeks start where the reader lives: 1 is Monday, 7 is Sunday. */
export const weekStart = weekStartOf(navigator.language);

/** Returns the first day of the week of a date. */
export function weekOf(date: string): string {
  return addDays(date, -columnOf(date, weekStart));
}
