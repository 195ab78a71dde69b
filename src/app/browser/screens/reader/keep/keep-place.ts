// Keeps where a memory is read, so that the next visit can go on there.

import { effect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

import type { Scale } from '../../../../../text/score.ts';
import type { TranscriptLine } from '../../../../../text/turns.ts';
import { notePlace, placeOf, type ReadPlace } from '../../../state/places.ts';
import { place } from '../../../state/router.ts';
import { shownAccountId } from '../../../state/session.ts';
import { hashOf, readFragment } from '../lines.ts';
import type { ReaderState } from '../reader-state.ts';

const PAUSE_MS = 1000;

/** What is read. */
export interface Reading {
  readonly id: string;
  readonly lines: readonly TranscriptLine[];
  readonly scale: Scale;
  readonly state: ReaderState;
  /** Whether all lines are there. */
  readonly isWhole: boolean;
}

/** Returns how far into a text somebody is, from 0 to 1. */
export function shareRead({ lines, scale, state }: Omit<Reading, 'id' | 'isWhole'>): number {
  const { first, last } = state.position.value ?? { first: 1, last: 1 };
  return last >= lines.length ? 1 : scale.startOf(first);
}

/** Keeps the place while a memory is read. Returns where it was read at the last visit. */
export function useKeptPlace({ id, isWhole, ...text }: Reading): ReadPlace | undefined {
  const account = shownAccountId();
  const [before] = useState(() => placeOf(account, id));
  const { lines, state } = text;
  useEffect(() => {
    if (!isWhole || lines.length === 0) return undefined;
    let timer: number | undefined;
    let linked = 0;
    const note = () => {
      clearTimeout(timer);
      timer = undefined;
      const { first = 1, last = 1 } = state.position.value ?? {};
      const share = shareRead(text);
      // Who opens a memory has not read its first lines again.
      if (first === 1 && share < 1) return;
      // Nor has who looks up what one speaker says, or a line, read what is before it.
      const isLinked = first <= linked && linked <= last;
      if (state.only.peek() !== undefined || (before !== undefined && isLinked)) return;
      notePlace(account, id, { line: first, hash: hashOf(lines[first - 1]?.text ?? ''), share });
    };
    const stop = effect(() => {
      if (state.position.value === undefined) return;
      linked = readFragment(place.peek().hash)?.first ?? 0;
      timer ??= setTimeout(note, PAUSE_MS);
    });
    addEventListener('pagehide', note);
    return () => {
      stop();
      removeEventListener('pagehide', note);
      if (timer !== undefined) note();
    };
  }, [id, lines, isWhole]);
  return before;
}
