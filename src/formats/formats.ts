// All formats, in the order in which they are tried.

import { bee } from './bee.ts';
import { fathom } from './fathom.ts';
import { fireflies } from './fireflies.ts';
import type { ItemFormat, TextFormat } from './format.ts';
import { granola } from './granola.ts';
import { limitless } from './limitless.ts';
import { memory } from './memory.ts';
import { omi } from './omi.ts';
import { readai } from './readai.ts';
import { screenpipe } from './screenpipe.ts';
import { speakr } from './speakr.ts';
import { srt } from './srt.ts';
import { tldv } from './tldv.ts';
import { vexa } from './vexa.ts';
import { vtt } from './vtt.ts';

/** Those whose recordings are items of JSON. */
export const itemFormats: readonly ItemFormat[] = [
  memory,
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

/** Those whose files are texts. */
export const textFormats: readonly TextFormat[] = [vtt, srt];

/** The names of all, as `--format` takes them. */
export const formatNames: readonly string[] = [...itemFormats, ...textFormats].map(
  ({ name }) => name,
);
