// The schema of a name or a label, which is no part of a memory: the client does not have it.

import * as v from 'valibot';

/** A name or a label: 1 to 200 characters on one line, without terminal control characters. */
export const Label = v.pipe(
  v.string(),
  // No line breaks, escapes, text-direction overrides or halves of a pair, which databases change. Emoji and Persian need their joiners.
  v.regex(/^(?=.*\S)[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]{1,200}$/u),
  v.description('1 to 200 characters on one line'),
);
