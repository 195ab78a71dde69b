// A memory in a list: when it was, its name, its length, what it was about and who spoke how much.

import { useEffect, useState } from 'preact/hooks';

import { hueClass, huesOf } from '../../../../text/hues.ts';
import { lengthOf } from '../../../../text/length.ts';
import { percentOf } from '../../../../text/percent.ts';
import { appAddressOf } from '../../state/base.ts';
import { isLost } from '../../state/connection.ts';
import { bookmarkOf } from '../../state/list/bookmarks.ts';
import { rowSpeakers, wordsOf } from '../../state/list/row-speakers.ts';
import type { Row } from '../../state/list/row.ts';
import { placeOf } from '../../state/places.ts';
import { fetchCached, hueOwners, ownCommand, shownAccountId } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { Link } from '../link.tsx';
import { personOf, plainText, titleOf } from '../title.ts';

/** More would not fit on the widest screen. */
const GIST = 300;

const DAY_SECONDS = 86_400;

/** How long a memory is new, if nobody has opened it: older ones that are imported are no news. */
const NEW_MS = 7 * DAY_SECONDS * 1000;

/** Returns whether a memory opens only when the connection is back: this browser has not cached it. */
function useAway(id: string): boolean {
  const [isAway, setAway] = useState(false);
  const isOff = isLost.value;
  useEffect(() => {
    setAway(false);
    if (isOff) fetchCached(appAddressOf(`v1/memories/${id}`)).catch(() => setAway(true));
  }, [id, isOff]);
  return isAway;
}

interface MemoryRowProps {
  readonly row: Row;
  /** Whether the time names its offset, because it may come twice that day. */
  readonly hasOffset?: boolean;
  /** Whose longest line it shows, and leads to. */
  readonly person?: string | undefined;
}

/** A row that leads to its memory. */
export function MemoryRow({ row, hasOffset, person }: MemoryRowProps) {
  const { id, name, started_at, duration_seconds, is_processing, summary } = row;
  const { short, time, zonedTime } = formats.value;
  // How far it was read in this browser.
  const share = placeOf(shownAccountId(), id)?.share;
  const speakers = rowSpeakers(id);
  const names = speakers.flatMap((each) => each.name ?? []);
  const hues = huesOf(names, hueOwners());
  const isNew = share === undefined && Date.now() - Date.parse(started_at) < NEW_MS;
  const isAway = useAway(id);
  const said = person ? wordsOf(id, person) : undefined;
  const summed = summary.quick_summary || summary.key_takeaways.join(' · ');
  const who = names.map(personOf).join(', ');
  const words = speakers.reduce((sum, each) => sum + each.words, 0);
  const gist = plainText(summed.slice(0, GIST)).replace(/^• /, '') || (person ? '' : who);
  return (
    <Link
      to={`m/${id}${said?.line ? `#L${said.line}` : ''}`}
      title={isAway ? 'Opens when the connection is back' : undefined}
      class={`row${isNew ? ' new' : ''}${isAway ? ' pale' : ''}`}
    >
      <time class="at" dateTime={started_at}>
        {(hasOffset ? zonedTime : time)(started_at)}
      </time>
      <span class="title" dir="auto" title={isNew ? 'Not opened yet' : undefined}>
        {titleOf(name)}
      </span>
      <span class="length">
        {bookmarkOf(id).is_starred && (
          <span role="img" aria-label="Starred" class="star">
            ★
          </span>
        )}{' '}
        {share === 1 ? (
          <span role="img" aria-label="Read" title="Read" class="read">
            ✓
          </span>
        ) : (
          share !== undefined && <span class="read">{percentOf(share)}</span>
        )}{' '}
        {/* The calendar has a memory on the day on which it began. */}
        {duration_seconds >= DAY_SECONDS
          ? `until ${short(new Date(Date.parse(started_at) + duration_seconds * 1000).toISOString())}`
          : lengthOf(duration_seconds) || (words > 0 && wordCount(words))}
      </span>
      <span class="gist" dir="auto">
        {said?.text ? (
          `“${said.text}”`
        ) : person && !said ? (
          '\u00a0'
        ) : is_processing ? (
          <em>Summary to come</em>
        ) : (
          gist ||
          (person ? (
            <em>Says nothing</em>
          ) : (
            (wordsOf(id)?.text.trim() ?? '\u00a0') || <em>No transcript</em>
          ))
        )}
      </span>
      {/* Of one speaker alone there is nothing to see. */}
      {speakers.length > 1 && (
        <span class="share-bar" aria-hidden="true" title={who}>
          {speakers.map((each) => (
            <span
              key={each.name}
              class={hueClass(hues, each.name ?? '')}
              style={{ flexGrow: each.words }}
            />
          ))}
        </span>
      )}
    </Link>
  );
}

/** How long a memory without times is, such as "19k words". */
const wordCount = (words: number) =>
  `${words.toLocaleString('en', { notation: 'compact' }).toLowerCase()} ${words === 1 ? 'word' : 'words'}`;

/** A memory that the gateway cannot read, in place of its row. */
export function DamagedRow() {
  return (
    <div class="row" tabIndex={-1}>
      This memory is damaged. Run “{ownCommand('verify')}” where the gateway runs.
    </div>
  );
}
