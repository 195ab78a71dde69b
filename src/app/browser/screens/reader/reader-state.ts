// What the parts of the reader share: the text in the page, where it is read, whether somebody looks for words, and whom they follow.

import { signal, type Signal } from '@preact/signals';

import type { Span } from './lines.ts';
import type { Position, View } from './view.ts';

/** What the parts of one open memory share. */
export interface ReaderState {
  /** The text, as long as it is in the page. */
  readonly view: { current: View | null };
  readonly position: Signal<Position | undefined>;
  /** Counts how often lines came into the page. */
  readonly filled: Signal<number>;
  readonly isFinding: Signal<boolean>;
  /** What the words that somebody looks for have found, as soon as it is known. */
  readonly hits: Signal<readonly Span[] | undefined>;
  /** The only speaker whose turns are shown. */
  readonly only: Signal<string | undefined>;
}

/** Creates the state of a memory that is opened. */
export function createReaderState(isFinding: boolean): ReaderState {
  return {
    view: { current: null },
    position: signal(undefined),
    filled: signal(0),
    isFinding: signal(isFinding),
    hits: signal(undefined),
    only: signal(undefined),
  };
}
