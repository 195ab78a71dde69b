// The reader: one memory as a manuscript, with a bar that stays, its outline and its score in the margins.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { Failure } from '../../../../contract/failure.ts';
import type { Memory } from '../../../../contract/schemas/memory.ts';
import { huesOf } from '../../../../text/hues.ts';
import { createScale } from '../../../../text/score.ts';
import { sharesOf } from '../../../../text/shares.ts';
import { splitTranscript } from '../../../../text/turns.ts';
import type { FoundScreen } from '../../../screens.ts';
import { OwnNote } from '../../parts/lists/own-note.tsx';
import { FailureNotice, Loading, Notice } from '../../parts/notice.tsx';
import { titleOf } from '../../parts/title.ts';
import { news } from '../../state/changes/change-list.ts';
import { knownRow } from '../../state/list/list.ts';
import { CONTINUE } from '../../state/places.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { holdRead, place, useArrival, type LineSpot } from '../../state/router.ts';
import { hueOwners } from '../../state/session.ts';
import { Neighbours, Summary, When } from './about-memory.tsx';
import { findDeleted, Gone, type DeletedMemory } from './gone.tsx';
import { useKeptPlace } from './keep/keep-place.ts';
import { findLines, readFragment } from './lines.ts';
import { canListen, Player } from './listen/player.tsx';
import { Outline, usePoints } from './margin/outline.tsx';
import { ScoreStrip } from './margin/score-strip.tsx';
import { keptMemory, readDetails, readMemory, type ShownDetails } from './memory.ts';
import { Tools, UpLink } from './reader-bar.tsx';
import { createReaderState } from './reader-state.ts';
import { Transcript } from './transcript.tsx';

/** How long details may take before their text is shown without them, which they push when they come. */
const DETAILS_MS = 1500;

/** A longer title than this is shown smaller: it would push the text off the screen. */
const LONG = 80;

/** The screen of one memory. */
function ReaderScreen({ about: id }: Pick<FoundScreen, 'about'>) {
  const { kept, hash, query } = place.value;
  const words = new URLSearchParams(query).get('q') ?? '';
  const [state] = useState(() => createReaderState(words !== ''));
  const { view, isFinding } = state;
  useLayoutEffect(() => {
    isFinding.value = words !== '';
  }, [words]);
  const [readBefore] = useState(() => keptMemory(id));
  const seen = useRef<LineSpot>(undefined);
  const [start, setStart] = useState<Memory>();
  const [details, setDetails] = useState<ShownDetails>();
  const [deleted, setDeleted] = useState<DeletedMemory>();
  const showDetails = (read: ShownDetails) => {
    seen.current = readSpot();
    setDetails(read);
  };
  const { data, failure, reload } = useResource(`memory ${id}`, async () => {
    // They are above the text, so it waits for them: those of long ones take longer. Without them the memory is
    // still readable.
    const detailed = Promise.race([
      readDetails(id).then(showDetails, () => undefined),
      new Promise((resolve) => setTimeout(resolve, DETAILS_MS)),
    ]);
    const read = await readMemory(id, (first) => detailed.then(() => setStart(first))).catch(
      async (failed: Failure) => {
        setDeleted(failed.status === 404 ? await findDeleted(id) : undefined);
        throw failed;
      },
    );
    await detailed;
    seen.current = readSpot();
    return read;
  });
  const change = news.value.find(({ memory_id }) => memory_id === id);
  useEffect(() => {
    if (change !== undefined) reload();
  }, [change]);
  const readSpot = () => (scrollY > 0 ? view.current?.spot() : undefined);

  // The first lines are enough for a reader who begins at the top.
  const isAtTop = kept === undefined && hash === '' && query === '';
  const whole = data ?? readBefore;
  const memory = whole ?? (isAtTop && start?.id === id ? start : undefined);
  const isGone = failure?.status === 404;
  const hasText = memory !== undefined;
  const name = (memory ?? knownRow(id))?.name;
  const unknown = isGone ? (deleted ? titleOf(deleted.name) : 'No such memory') : 'Memory';
  const title = name === undefined || (isGone && !hasText) ? unknown : titleOf(name);
  const lines = useMemo(() => splitTranscript(memory?.transcript ?? ''), [memory?.transcript]);
  const scale = useMemo(() => createScale(lines), [lines]);
  const shares = useMemo(() => sharesOf(lines), [lines]);
  const owners = hueOwners();
  const hues = useMemo(() => {
    const names = shares.map(({ speaker }) => speaker);
    return huesOf(names, owners);
  }, [shares, String(owners)]);
  const points = usePoints(lines, memory?.summary.key_takeaways);
  const target = readFragment(hash);
  const marked = useMemo(() => target && findLines(lines, target), [lines, hash]);
  useLayoutEffect(() => holdRead(() => ({ line: readSpot() })), []);
  const toSpot = (spot: LineSpot | undefined) => {
    const found = spot && findLines(lines, spot);
    if (found) view.current?.toLine(found.first, spot.top);
    return found !== undefined;
  };
  const isWhole = whole !== undefined;
  const before = useKeptPlace({ id, lines, scale, state, isWhole });
  const goOn = () => {
    const found = before && findLines(lines, { ...before, first: before.line, last: before.line });
    return found && view.current?.toLine(found.first, innerHeight / 5);
  };
  useArrival(hasText || isGone, title, () => {
    if (kept !== undefined) return toSpot(kept.line);
    if (hash === CONTINUE) return goOn() ?? false;
    // A line that is gone was near this number.
    return (target && view.current?.toLine((marked ?? target).first)) ?? false;
  });
  // What is being read stays where it is on the screen when the memory has changed.
  useLayoutEffect(() => {
    toSpot(seen.current);
    seen.current = undefined;
  }, [memory, details]);
  const hasTimes = details?.line_starts_ms?.some((ms) => ms !== null) === true;
  const shown = {
    before,
    goOn,
    details,
    lines,
    hues,
    scale,
    shares,
    target,
    marked,
    points,
    state,
    isWhole,
  };

  return (
    <div class="room">
      <article
        class="reader"
        data-source={`${location.origin}${location.pathname} · ${zone.value}`}
      >
        <div class="reader-bar">
          <p class="up">
            <UpLink />
          </p>
          {hasText && <Tools {...{ memory, title, words, reload, hasTimes }} {...shown} />}
        </div>
        <h1 tabIndex={-1} dir="auto" class={title.length > LONG ? 'long' : undefined}>
          {title}
        </h1>
        {isGone && hasText && (
          <Notice>This memory was deleted. Its text stays until you leave.</Notice>
        )}
        {isGone && !hasText && <Gone deleted={deleted} onBack={reload} />}
        {!isGone && <FailureNotice failure={failure} onRetry={reload} />}
        {!hasText && !failure && <Loading />}
        {hasText && (
          <>
            <When memory={memory} lines={isWhole ? lines : undefined} />
            <OwnNote id={id} />
            {details !== undefined && canListen(details) && isWhole && !isGone && (
              <Player {...{ id, details, lines, state }} />
            )}
            <Outline {...shown} />
            {shares.length > 0 && <ScoreStrip {...shown} />}
            <Summary
              {...{ memory, points, details }}
              isRead={before !== undefined && words === ''}
            />
            <Transcript {...{ memory, title }} {...shown} />
            <Neighbours memory={memory} hasKeys={!isFinding.value} />
          </>
        )}
      </article>
    </div>
  );
}

/** The screens of this script by their names. */
export const screens = { memory: ReaderScreen };
