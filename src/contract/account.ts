// What an account is called: its id, and names and labels for people.

import * as v from 'valibot';

import { MemoryId } from './memory.ts';

/** Checks an account's id, which has the grammar of a memory's. */
export const AccountId = MemoryId;

/** Checks a name or a label: 1 to 200 characters on one line, with nothing that steers a terminal. */
export const Label = v.pipe(
  v.string(),
  // No line breaks, escapes or overrides of direction; the joiners of emoji and Persian are fine.
  v.regex(/^(?=.*\S)[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]{1,200}$/u),
  v.description('1 to 200 characters on one line'),
);
