// Details for tests: what an import read of a memory, with an original.

import type { ReadDetails } from '../../../src/contract/schemas/details.ts';
import type { GivenDetails } from '../../../src/store/details/details-row.ts';

/** Returns details with the given fields; all others are unknown or empty. */
export function readDetails(fields: Partial<ReadDetails> = {}): ReadDetails {
  return {
    source: { product: null, format: null, id: null, url: null },
    language: null,
    line_starts_ms: null,
    audio: null,
    people: [],
    tags: [],
    chapters: [],
    action_items: [],
    ...fields,
  };
}

/** Returns a person of a memory, who says one line of ten words. */
export function person(
  name: string,
  fields: Partial<ReadDetails['people'][number]> = {},
): ReadDetails['people'][number] {
  return { name, role: 'speaker', lines: 1, words: 10, speaking_ms: null, ...fields };
}

/** Returns details that fill every table, with a text as the original. */
export function fullDetails(fields: Partial<ReadDetails> = {}, text = 'original'): GivenDetails {
  return {
    read: readDetails({
      source: { product: 'limitless', format: 'limitless', id: 'b7Qm', url: null },
      language: 'en',
      line_starts_ms: [0],
      people: [person('Ana', { speaking_ms: 1500 }), person('Henrik', { role: 'attendee' })],
      tags: [{ name: 'Work', kind: 'folder' }],
      chapters: [{ title: 'Animals', line: 1 }],
      action_items: [{ text: 'Buy a fridge', owner: 'Henrik', due: null, done: false, line: 1 }],
      ...fields,
    }),
    original: {
      media_type: 'text/plain',
      bytes: new TextEncoder().encode(text),
      reading: '{}',
    },
  };
}
