// Document: what the gateway serves beside its API, the same to everyone: a page, a script, a description.

import type { Pack } from './coding.ts';

/** A whole body, and what HTTP says about it. */
export interface Document {
  /** Its media type, with charset. */
  readonly type: string;
  /** The SHA-256 of the body. */
  readonly etag: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Once for each coding: whoever holds no key shall not make us compress the same again and again. */
  readonly pack: Pack;
  /** Headers of its own: name, value, name, value, … */
  readonly headers: readonly string[];
}
