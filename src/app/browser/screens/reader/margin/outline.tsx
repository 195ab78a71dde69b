// The outline beside a transcript: who speaks and how much, and the takeaways with their lines.

import { useEffect, useState } from 'preact/hooks';

import { percentOf } from '../../../format.ts';
import { fragmentOf, type TranscriptLine } from '../lines.ts';
import type { ReaderState } from '../reader-state.ts';
import { hueClass, type Hues, type Share } from '../speakers.ts';
import { pointsOf, type Point } from './points.ts';

/** What the outline needs. */
export interface OutlineProps {
  readonly shares: readonly Share[];
  readonly hues: Hues;
  /** Whether all lines are there. Without them, the shares only keep their place. */
  readonly isWhole: boolean;
  readonly points: readonly Point[];
  readonly state: ReaderState;
}

/** The outline: in the margin if there is room, otherwise above the text, without the takeaways. */
export function Outline({ shares, hues, isWhole, points, state }: OutlineProps) {
  const { position, only } = state;
  const current = points.findLast(({ line }) => line <= (position.value?.last ?? 0));
  if (shares.length === 0 && points.length === 0) return null;
  return (
    <div class="outline">
      <nav class="outline-page" aria-label="Outline">
        {shares.length > 0 && (
          <div class={isWhole ? 'shares' : 'shares coming'}>
            <div class="share-bar" aria-hidden="true">
              {shares.map(({ speaker, share }) => (
                <span
                  key={speaker}
                  class={speaker === undefined ? 'faint' : hueClass(hues, speaker)}
                  style={{ flexGrow: share }}
                />
              ))}
            </div>
            <ul aria-label="Share of the words">
              {shares.map(({ speaker, share }) => {
                const percent = percentOf(share);
                if (speaker === undefined)
                  return (
                    <li key="others" class="faint">
                      Others {percent}
                    </li>
                  );
                const isOnly = only.value === speaker;
                return (
                  <li key={speaker} class={hueClass(hues, speaker)}>
                    <button
                      type="button"
                      class="person"
                      aria-pressed={isOnly}
                      onClick={() => {
                        only.value = isOnly ? undefined : speaker;
                      }}
                    >
                      <bdi>{speaker}</bdi> <span>{percent}</span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </div>
        )}
        {points.length > 0 && (
          <ol class="points">
            {points.map((point) => (
              <li key={point.index}>
                <a href={point.href} aria-current={point === current ? 'true' : undefined}>
                  {point.text}
                </a>
              </li>
            ))}
          </ol>
        )}
      </nav>
    </div>
  );
}

const NONE: readonly string[] = [];

/** Finds the takeaways in a transcript, after its lines are on the screen. */
export function usePoints(
  lines: readonly TranscriptLine[],
  takeaways: readonly string[] = NONE,
): Point[] {
  const [points, setPoints] = useState<Point[]>([]);
  useEffect(() => {
    const find = () => {
      const found = pointsOf(lines, takeaways).flatMap((line, index) => {
        const text = takeaways[index];
        if (line === undefined || text === undefined) return [];
        return { index, text, line, href: `#${fragmentOf(lines, { first: line, last: line })}` };
      });
      setPoints(found.toSorted((a, b) => a.line - b.line));
    };
    const timer = setTimeout(find, 100);
    return () => clearTimeout(timer);
  }, [lines, takeaways]);
  return points;
}
