// The score beside a transcript: who speaks where, the hits, and what is on the screen. A click or a drag goes there.

import { useMemo } from 'preact/hooks';

import { hueClass, type Hues } from '../../../../../text/hues.ts';
import { bandsOf, type Scale } from '../../../../../text/score.ts';
import type { TranscriptLine } from '../../../../../text/turns.ts';
import type { ShownLines } from '../lines.ts';
import type { ReaderState } from '../reader-state.ts';

/** The rows of the strip: about one a pixel. */
const ROWS = 600;

/** What the strip needs. */
export interface ScoreStripProps {
  readonly lines: readonly TranscriptLine[];
  readonly hues: Hues;
  readonly scale: Scale;
  readonly marked: ShownLines | undefined;
  readonly state: ReaderState;
}

/** The score. It is for eyes and pointers: the page itself has everything that it shows. */
export function ScoreStrip({ lines, hues, scale, marked, state }: ScoreStripProps) {
  const only = state.only.value;
  const paths = useMemo(() => {
    const bands = bandsOf(lines, scale, ROWS, { only });
    // Others may have the grey of the one who is followed.
    const classOf = (speaker: string) =>
      `${hueClass(hues, speaker)}${only === undefined || speaker === only ? '' : ' pale'}`;
    return [...Map.groupBy(bands, ({ speaker }) => classOf(speaker))].map(([name, own]) => [
      name,
      own.map(({ from, to }) => `M0 ${from}h1v${to - from}h-1z`).join(''),
    ]);
  }, [lines, hues, only]);
  const go = (event: MouseEvent) => {
    const { type, buttons, pointerType, pointerId, target, clientY } = event as PointerEvent;
    const strip = event.currentTarget as Element;
    const isMouse = pointerType === 'mouse';
    if (buttons === 1 && isMouse && type === 'pointerdown') strip.setPointerCapture(pointerId);
    // A finger scrolls here, unless it taps or takes what marks the screen. A press from elsewhere selects text.
    const isHeld = isMouse
      ? strip.hasPointerCapture(pointerId)
      : (target as Element).matches('.screen');
    if (!isHeld && type !== 'click') return;
    const { top, height } = strip.getBoundingClientRect();
    state.view.current?.toLine(scale.lineAt((clientY - top) / height));
  };
  const ticks = new Set(
    state.hits.value?.map(({ line }) => Math.round(scale.startOf(line) * ROWS)),
  );
  const span = (first: number, last: number) => ({
    top: `${scale.startOf(first) * 100}%`,
    height: `${(scale.startOf(last + 1) - scale.startOf(first)) * 100}%`,
  });
  const position = state.position.value;
  return (
    <div class="score" aria-hidden="true">
      <div
        class="strip"
        role="presentation"
        // As high as its text at most: a line of it is 1.6 high, and has about two characters for each of its measure.
        style={{ maxHeight: `calc(${(scale.height * 1.6) / 2} / var(--measure) * var(--size))` }}
        onPointerDown={go}
        onPointerMove={go}
        // The browser would give the touch of a finger to something near it that can be clicked.
        onClick={go}
      >
        <svg viewBox={`0 0 1 ${ROWS}`} preserveAspectRatio="none">
          {paths.map(([name, d]) => (
            <path key={name} class={name} d={d} />
          ))}
        </svg>
        <svg class="hits" viewBox={`0 0 1 ${ROWS}`} preserveAspectRatio="none">
          <path d={Array.from(ticks, (row) => `M0 ${row}h1v2h-1z`).join('')} />
        </svg>
        {marked !== undefined && <span class="mark" style={span(marked.first, marked.last)} />}
        {position?.isSeen && <span class="screen" style={span(position.first, position.last)} />}
      </div>
    </div>
  );
}
