// The outline beside a transcript: who speaks and how much, the chapters of the source or landmarks instead, and the takeaways with their lines.

import { useEffect, useMemo, useState } from 'preact/hooks';

import { HUES, hueClass, type Hues } from '../../../../../text/hues.ts';
import { landmarksOf } from '../../../../../text/landmarks.ts';
import { percentOf } from '../../../../../text/percent.ts';
import type { Scale } from '../../../../../text/score.ts';
import { sharesOf, type Share } from '../../../../../text/shares.ts';
import type { TranscriptLine } from '../../../../../text/turns.ts';
import { counted } from '../../../format.ts';
import { NamesDialog } from '../../../parts/names-dialog.tsx';
import { plainText } from '../../../parts/title.ts';
import { fragmentOf, type ShownLines } from '../lines.ts';
import type { ShownDetails } from '../memory.ts';
import type { ReaderState } from '../reader-state.ts';
import { pointsOf, type Point } from './points.ts';
import { itemBy } from './speaker-items.tsx';

/** What the outline needs. */
export interface OutlineProps {
  readonly shares: readonly Share[];
  readonly hues: Hues;
  /** Whether all lines are there. Without them, the shares only keep their place. */
  readonly isWhole: boolean;
  readonly points: readonly Point[];
  /** What the source knows of the memory, as soon as that is read. */
  readonly details: ShownDetails | undefined;
  readonly scale: Scale;
  readonly lines: readonly TranscriptLine[];
  readonly marked: ShownLines | undefined;
  readonly state: ReaderState;
}

/** How many of five speakers or more a phone names, in two rows, so that the summary is on its screen as well. */
const SHOWN = 3;

/** The outline: in the margin if there is room, otherwise above the text, without the takeaways. */
export function Outline(props: OutlineProps) {
  const { shares, hues, isWhole, points, details, scale, lines, marked, state } = props;
  const { position } = state;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const isShort = shares.length > SHOWN + 1 && matchMedia('(width < 40rem)').matches;
  const named = shares.slice(0, isShort ? SHOWN : HUES);
  const rest = shares.slice(named.length);
  const others = rest.reduce((sum, { count }) => sum + count, 0);
  const othersShare = rest.reduce((sum, { share }) => sum + share, 0);
  const titles = (details?.chapters ?? []).flatMap(({ title, line }) =>
    line === null || line > lines.length ? [] : [{ text: title, line }],
  );
  const landmarks = useMemo(
    () => (details && isWhole ? landmarksOf(lines, scale, details.line_starts_ms ?? []) : []),
    [lines, details, isWhole],
  );
  const isOurs = titles.length === 0;
  const { value: only } = state.only;
  const places = isOurs
    ? landmarks.filter(({ line }) => [undefined, lines[line - 1]?.speaker].includes(only))
    : titles;
  const label = isOurs ? 'Landmarks by this app' : 'Chapters';
  // What is read is the marked line if it is on the screen.
  const { first = 1, last = 1, read = 1 } = position.value ?? {};
  const isOn = marked !== undefined && marked.first >= first && marked.first <= last;
  const reached = isOn ? marked.first : read;
  const isAtEnd = last >= lines.length;
  if (shares.length + points.length + places.length === 0) return null;
  return (
    <div class="outline">
      <nav class="outline-page" aria-label="Outline">
        {shares.length > 0 && (
          <div class="shares" style={{ visibility: isWhole ? '' : 'hidden' }}>
            <div class="share-bar" aria-hidden="true">
              {shares.map(({ speaker, share }) => (
                <span
                  key={speaker}
                  class={hueClass(hues, speaker ?? '')}
                  style={{ flexGrow: share }}
                />
              ))}
            </div>
            <ul aria-label="Share of the words">
              {named.map(itemBy(props))}
              {others > 0 && (
                <li class="hue-0">
                  <button type="button" class="person" onClick={() => setOpen(true)}>
                    and {counted(others, 'other')} <span>{percentOf(othersShare)}</span>
                  </button>
                </li>
              )}
            </ul>
          </div>
        )}
        {places.length > 0 && (
          // Above the text it is a line.
          <details
            class={isOurs ? 'chapters ours' : 'chapters'}
            open={!matchMedia('(width < 78rem)').matches}
          >
            <summary>{label}</summary>
            <PointList
              label={label}
              points={places.map((each, index) => pointAt(lines, { ...each, index }))}
              reached={isAtEnd && first > 1 ? (isOurs ? 0 : lines.length) : reached}
            />
          </details>
        )}
        {/* At the beginning the summary has them. */}
        {first > 1 && <PointList label="Key takeaways" points={points} reached={reached} />}
      </nav>
      {isOpen && (
        // Those with the most words first. It closes when one is chosen.
        <NamesDialog
          title="Speakers"
          names={sharesOf(lines, Infinity).map((each) => ({ ...each, name: each.speaker ?? '' }))}
          onClose={close}
        >
          {itemBy({ ...props, onPick: close })}
        </NamesDialog>
      )}
    </div>
  );
}

interface PointListProps {
  readonly label: string;
  readonly points: readonly Point[];
  /** The line that is read. */
  readonly reached: number;
}

/** Points with links to their lines. The last one that is reached is current. */
function PointList({ label, points, reached }: PointListProps) {
  const current = points.findLast(({ line }) => line <= reached);
  if (points.length === 0) return null;
  return (
    <ol class="points" aria-label={label}>
      {points.map((point) => (
        <li key={point.index}>
          <a href={point.href} aria-current={point === current ? 'true' : undefined}>
            {plainText(point.text)}
          </a>
        </li>
      ))}
    </ol>
  );
}

function pointAt(lines: readonly TranscriptLine[], point: Omit<Point, 'href'>): Point {
  const { line } = point;
  return { ...point, href: `#${fragmentOf(lines, { first: line, last: line })}` };
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
        return pointAt(lines, { index, text, line });
      });
      setPoints(found.toSorted((a, b) => a.line - b.line));
    };
    const timer = setTimeout(find, 100);
    return () => clearTimeout(timer);
  }, [lines, takeaways]);
  return points;
}
