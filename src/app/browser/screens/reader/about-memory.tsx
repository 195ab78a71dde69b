// The parts of the reader around a transcript: times, summary, action items, and the memories before and after.

import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import type { Memory } from '../../../../contract/schemas/memory.ts';
import { lengthOf } from '../../../../text/length.ts';
import { countWords } from '../../../../text/shares.ts';
import { saidOf, type TranscriptLine } from '../../../../text/turns.ts';
import { counted } from '../../format.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import type { Shortcut } from '../../keyboard/shortcuts.ts';
import { Link } from '../../parts/link.tsx';
import { Notice } from '../../parts/notice.tsx';
import { plainText, titleOf } from '../../parts/title.ts';
import { useResource } from '../../state/resource.ts';
import { go } from '../../state/router.ts';
import { formats } from '../../time-formats.ts';
import type { Point } from './margin/points.ts';
import { readNeighbour, type Neighbour, type ShownDetails } from './memory.ts';

interface WhenProps {
  readonly memory: Pick<Memory, 'started_at' | 'ended_at' | 'duration_seconds'>;
  /** All lines of the transcript. Undefined while only the first ones are there. */
  readonly lines: readonly TranscriptLine[] | undefined;
}

/** The times, the length, and the number of the words. */
export function When({ memory, lines = [] }: WhenProps) {
  const { started_at, ended_at, duration_seconds } = memory;
  const { dayOf, longDay, moment, time } = formats.value;
  const words = useMemo(
    () => lines.reduce((sum, line) => sum + countWords(saidOf(line)), 0),
    [lines],
  );
  const isOfOneDay = dayOf(ended_at) === dayOf(started_at);
  // `10:00–10:16 AM`, as people write it.
  const [, half = ''] = /(\s\S+)$/.exec(time(ended_at)) ?? [];
  const start = time(started_at);
  const isOfOneHalf =
    !matchMedia('(width < 40rem)').matches &&
    isOfOneDay &&
    moment(ended_at) !== moment(started_at) &&
    start.endsWith(half);
  // A phone has room for the start and one length.
  const count = ` ·\u00a0${counted(words, 'word').replace(' ', '\u00a0')}`;
  return (
    <p class="when">
      <time dateTime={started_at}>
        {longDay(started_at)}, {isOfOneHalf ? start.slice(0, start.length - half.length) : start}
      </time>
      {moment(ended_at) !== moment(started_at) && (
        <span>
          {'–'}
          <time dateTime={ended_at}>
            {!isOfOneDay && `${longDay(ended_at)}, `}
            {time(ended_at)}
          </time>
        </span>
      )}
      {duration_seconds > 0 && ` · ${lengthOf(duration_seconds)}`}
      {words > 0 && (duration_seconds > 0 ? <span>{count}</span> : count)}
    </p>
  );
}

interface SummaryProps {
  readonly memory: Memory;
  /** The lines of the takeaways in the transcript. */
  readonly points: readonly Point[];
  /** Whether the reader has come past it before. */
  readonly isRead: boolean;
  /** They have the action items. Undefined while they are loading. */
  readonly details: ShownDetails | undefined;
}

/** The summary. A takeaway leads to its line if it stands in the transcript. */
export function Summary({ memory, points, isRead, details }: SummaryProps) {
  const { action_items: items = [], ItemRow } = details ?? {};
  const { summary, is_processing } = memory;
  const { key_takeaways } = summary;
  const line = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = line;
    const fold = current?.closest('details');
    if (!isRead || !current || !fold) return;
    // If the talk begins on the first screen, nothing is in its way.
    if (fold.getBoundingClientRect().bottom + scrollY < innerHeight) return;
    fold.open = false;
    current.hidden = false;
  }, []);
  const counts = [counted(key_takeaways.length, 'takeaway'), counted(items.length, 'action item')];
  return (
    <>
      {is_processing && (
        <Notice>This memory is still being processed. Its summary will appear here.</Notice>
      )}
      {(summary.quick_summary !== '' || key_takeaways.length + items.length > 0) && (
        <details open>
          <summary ref={line} hidden>
            {['Summary', ...counts.filter((text) => !text.startsWith('0'))].join(' · ')}
          </summary>
          <div class="digest">
            {summary.quick_summary !== '' && (
              <p class="lead" dir="auto">
                {plainText(summary.quick_summary)}
              </p>
            )}
            {key_takeaways.length > 0 && (
              <>
                <h2>Key takeaways</h2>
                <ul class="takeaways">
                  {key_takeaways.map((text, index) => {
                    const point = points.find((each) => each.index === index);
                    return (
                      <li key={index} dir="auto">
                        {plainText(text)}
                        {point !== undefined && (
                          <>
                            {' '}
                            <a class="point" href={point.href} aria-label={`Line ${point.line}`}>
                              {point.line}
                            </a>
                          </>
                        )}
                      </li>
                    );
                  })}
                </ul>
              </>
            )}
            {ItemRow && (
              <>
                <h2>Action items</h2>
                <ul class="to-do">
                  {items.map((item, at) => (
                    <ItemRow key={at} item={item} memory_id={memory.id} />
                  ))}
                </ul>
              </>
            )}
          </div>
        </details>
      )}
    </>
  );
}

interface NeighboursProps {
  readonly memory: Memory;
  /** Whether n and p go there. With hits to step through, they do not. */
  readonly hasKeys: boolean;
}

/** Links to the memories before and after one in time. */
export function Neighbours({ memory, hasKeys }: NeighboursProps) {
  const { id, started_at } = memory;
  // A failure is not shown: the memory itself can be read.
  const { data } = useResource(`near ${id} ${started_at}`, () =>
    Promise.all((['desc', 'asc'] as const).map((order) => readNeighbour(memory, order))),
  );
  const [older, newer] = data ?? [];
  const keys = (key: string, text: string, to: Neighbour | undefined): Shortcut[] =>
    to === undefined || !hasKeys ? [] : [{ keys: [key], text, run: () => go(`m/${to.id}`) }];
  useShortcuts([...keys('p', 'Previous memory', older), ...keys('n', 'Next memory', newer)]);
  return (
    <nav class="near" aria-label="Previous and next memory">
      {data?.map((to, index) =>
        to === undefined ? (
          <span key={index} class="note">
            {index === 0 ? 'First memory' : 'Latest memory'}
          </span>
        ) : (
          <Link key={to.id} to={`m/${to.id}`}>
            <span class="note">
              {index === 0 ? 'Previous memory' : 'Next memory'} ·{' '}
              {formats.value.moment(to.started_at)}
            </span>
            <bdi>{titleOf(to.name)}</bdi>
          </Link>
        ),
      )}
    </nav>
  );
}
