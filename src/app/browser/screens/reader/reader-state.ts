// The state that the parts of the reader share: the text in the page, the place in it, the find bar with its hits, and the only speaker.

import { signal, type Signal } from '@preact/signals';

import type { QuotedLines, ShownLines, Span } from './lines.ts';
import type { Position, View } from './view.ts';

/** The shared state of one open memory. */
export interface ReaderState {
  /** The text, while it is in the page. */
  readonly view: { current: View | null };
  readonly position: Signal<Position | undefined>;
  /** Counts how often lines came into the page. */
  readonly filled: Signal<number>;
  readonly isFinding: Signal<boolean>;
  /** The hits of the find bar. Undefined before its first search has ended, and while it is closed or empty. */
  readonly hits: Signal<readonly Span[] | undefined>;
  /** The only speaker whose turns are shown. */
  readonly only: Signal<string | undefined>;
  /** The turn of the only speaker that is looked at: its first line. */
  readonly turn: Signal<number | undefined>;
  /** The lines for which the dialog of shares is open, or all of them: `null`. */
  readonly shared: Signal<ShownLines | null | undefined>;
  /** The fragment of the lines whose numbers were clicked. */
  readonly picked: Signal<string | undefined>;
  /** The lines whose text is selected. */
  readonly selected: Signal<QuotedLines | undefined>;
}

/** Creates the state of a memory that is opened. */
export function createReaderState(isFinding: boolean): ReaderState {
  return {
    view: { current: null },
    position: signal(),
    filled: signal(0),
    isFinding: signal(isFinding),
    hits: signal(),
    only: signal(),
    turn: signal(),
    shared: signal(),
    picked: signal(),
    selected: signal(),
  };
}
