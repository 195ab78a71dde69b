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

/** Who stays shorter, and scrolls less far, has only looked into a memory. */
const READ_MS = 30_000;
const READ_SCREENS = 3;

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
    const opened = Date.now();
    let begun: number | undefined;
    const note = () => {
      clearTimeout(timer);
      timer = undefined;
      begun ??= scrollY;
      // A link, a hit or a landmark has led here: it is read as soon as somebody goes on.
      if (state.view.current?.isHeld()) return;
      const { first = 1, last = 1 } = state.position.value ?? {};
      const share = shareRead(text);
      // Who opens a memory has not read its first lines again.
      if (first === 1 && share < 1) return;
      // Nor has who looks up what one speaker says, or a line, read what is before it.
      const isLinked = first <= linked && linked <= last;
      if (state.only.peek() !== undefined || (before !== undefined && isLinked)) return;
      const isRead =
        Date.now() - opened > READ_MS || Math.abs(scrollY - begun) > READ_SCREENS * innerHeight;
      const hash = hashOf(lines[first - 1]?.text ?? '');
      notePlace(account, id, { line: first, hash, share, isRead });
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
