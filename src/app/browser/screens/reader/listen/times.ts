// The times beside the lines of a transcript: links to their moments in the recording, and the turn that is heard.

import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { numberOf } from '../line-element.ts';
import type { ShownLines } from '../lines.ts';
import type { ReaderState } from '../reader-state.ts';
import { clockOf, type Cue, type Cues } from './cues.ts';

/** Returns what the link of a moment has. Undefined: the moment has no link. */
export type LinkOf = (cue: Cue) => Partial<HTMLAnchorElement> | undefined;

/** Shows the time of each line in the page. Returns the function that says which lines are heard. */
export function useTimes({ filled }: ReaderState, cues: Cues, linkOf: LinkOf) {
  const heard = useRef<ShownLines>(undefined);
  const isHeard = (line: number) =>
    heard.current !== undefined && line >= heard.current.first && line <= heard.current.last;

  useLayoutEffect(() => {
    // Whenever lines have come into the page, because long transcripts are there in part only.
    const stop = effect(() => {
      if (filled.value < 0) return;
      for (const each of linesInPage()) {
        const line = numberOf(each);
        const ms = cues.startOf(line);
        if (isHeard(line)) each.ariaCurrent = 'true';
        if (ms === undefined || each.querySelector('.cue') !== null) continue;
        const fields = linkOf({ line, ms });
        if (fields === undefined) return;
        const link = Object.assign(document.createElement('a'), fields);
        link.className = 'cue';
        link.tabIndex = -1; // the arrow keys go from one line to the next
        link.textContent = clockOf(ms);
        each.lastElementChild?.before(link);
      }
    });
    return () => {
      stop();
      for (const each of document.querySelectorAll('.lines .cue')) each.remove();
      hear(undefined);
    };
  }, [cues]);

  function hear(lines: ShownLines | undefined): void {
    if (heard.current?.first === lines?.first) return;
    heard.current = lines;
    for (const each of linesInPage()) each.ariaCurrent = isHeard(numberOf(each)) ? 'true' : null;
  }
  return hear;
}

function linesInPage(): NodeListOf<HTMLElement> {
  return document.querySelectorAll('.lines .line');
}
