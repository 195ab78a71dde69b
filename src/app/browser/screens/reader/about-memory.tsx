// Everything that the reader shows around a transcript: times, summary, the shares of the speakers, and the memories before and after.

import { useEffect, useState } from 'preact/hooks';

import type { Memory } from '../../../../contract/schemas/memory.ts';
import { lengthOf } from '../../format.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import type { Shortcut } from '../../keyboard/shortcuts.ts';
import { Link } from '../../parts/link.tsx';
import { Notice } from '../../parts/notice.tsx';
import { formats } from '../../parts/time-formats.ts';
import { titleOf } from '../../parts/title.ts';
import { go } from '../../state/router.ts';
import { readNeighbour, type Neighbour } from './memory.ts';
import { hueOf, type Share } from './speakers.ts';

/** The times, the length and the summary. */
export function AboutMemory({ memory }: { readonly memory: Memory }) {
  const { started_at, ended_at, duration_seconds, summary, is_processing } = memory;
  const { dayOf, longDay, time } = formats.value;
  return (
    <>
      <p class="when">
        <time dateTime={started_at}>
          {longDay(started_at)}, {time(started_at)}
        </time>
        {ended_at !== started_at && (
          <>
            {'–'}
            <time dateTime={ended_at}>
              {dayOf(ended_at) !== dayOf(started_at) && `${longDay(ended_at)}, `}
              {time(ended_at)}
            </time>
          </>
        )}
        {duration_seconds > 0 && ` · ${lengthOf(duration_seconds)}`}
      </p>
      {is_processing && (
        <Notice>This memory is still being processed. Its summary will appear here.</Notice>
      )}
      {summary.quick_summary !== '' && (
        <p class="lead" dir="auto">
          {summary.quick_summary}
        </p>
      )}
      {summary.key_takeaways.length > 0 && (
        <>
          <h2>Key takeaways</h2>
          <ul class="takeaways">
            {summary.key_takeaways.map((text, index) => (
              <li key={index} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface SharesProps {
  readonly shares: readonly Share[];
  readonly hues: ReadonlyMap<string, number>;
  /** Whether all lines are there. Without them, the shares only keep their place. */
  readonly isWhole: boolean;
}

/** The shares of the speakers, as a bar and as a list. */
export function Shares({ shares, hues, isWhole }: SharesProps) {
  const all = shares.map(({ speaker, share }) => ({
    speaker,
    share,
    class: speaker === undefined ? 'faint' : `hue-${hues.get(speaker) ?? hueOf(speaker)}`,
  }));
  return (
    <div class={isWhole ? 'shares' : 'shares coming'}>
      <div class="share-bar" aria-hidden="true">
        {all.map((each) => (
          <span key={each.speaker} class={each.class} style={{ flexGrow: each.share }} />
        ))}
      </div>
      <ul aria-label="Share of the words">
        {all.map((each) => (
          <li key={each.speaker} class={each.class}>
            <bdi>{each.speaker ?? 'Others'}</bdi> {Math.round(each.share * 100)} %
          </li>
        ))}
      </ul>
    </div>
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
  const [found, setFound] = useState<readonly (Neighbour | undefined)[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      try {
        const both = (['desc', 'asc'] as const).map((order) => readNeighbour(memory, order));
        const pair = await Promise.all(both);
        if (isCurrent) setFound(pair);
      } catch {
        // The memory itself is here. The bar about the connection says what is wrong.
      }
    };
    void read();
    return () => {
      isCurrent = false;
    };
  }, [id, started_at]);
  const [older, newer] = found;
  const keys = (key: string, text: string, to: Neighbour | undefined): Shortcut[] =>
    to === undefined || !hasKeys ? [] : [{ keys: [key], text, run: () => go(`m/${to.id}`) }];
  useShortcuts([...keys('p', 'Memory before', older), ...keys('n', 'Memory after', newer)]);
  return (
    <nav class="near" aria-label="Memories before and after">
      {[older, newer].map(
        (to, index) =>
          to !== undefined && (
            <Link key={to.id} to={`m/${to.id}`}>
              <span class="note">
                {index === 0 ? 'Memory before' : 'Memory after'} ·{' '}
                {formats.value.moment(to.started_at)}
              </span>
              <bdi>{titleOf(to.name)}</bdi>
            </Link>
          ),
      )}
    </nav>
  );
}
