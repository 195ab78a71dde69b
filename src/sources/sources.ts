// The list of all sources.

import { bee } from './products/bee.ts';
import { fathom } from './products/fathom.ts';
import { fireflies } from './products/fireflies.ts';
import { gateway } from './products/gateway.ts';
import { granola } from './products/granola.ts';
import { limitless } from './products/limitless.ts';
import { omi } from './products/omi.ts';
import { readai } from './products/readai.ts';
import { screenpipe } from './products/screenpipe.ts';
import { speakr } from './products/speakr.ts';
import { tldv } from './products/tldv.ts';
import { vexa } from './products/vexa.ts';
import type { Source } from './source.ts';

/** All sources, in the order of help. */
export const sources: readonly Source[] = [
  gateway,
  limitless,
  omi,
  granola,
  fathom,
  fireflies,
  bee,
  tldv,
  readai,
  screenpipe,
  speakr,
  vexa,
];
