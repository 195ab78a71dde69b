// What stands in place of a memory that is gone: the way back from the bin, or what may have been meant.

import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import { huesOf } from '../../../../text/hues.ts';
import { sharesOf } from '../../../../text/shares.ts';
import { splitTranscript } from '../../../../text/turns.ts';
import { useAction } from '../../parts/controls/action.ts';
import { Link } from '../../parts/link.tsx';
import { MaybeMeant } from '../../parts/not-found.tsx';
import { FailureNotice } from '../../parts/notice.tsx';
import { shortDate } from '../../parts/short-date.ts';
import { personOf, plainText } from '../../parts/title.ts';
import { restore } from '../../state/changes/deletions.ts';
import { useResource } from '../../state/resource.ts';
import { app, hueOwners, may } from '../../state/session.ts';
import { When } from './about-memory.tsx';
import { lineElement } from './line-element.ts';

/** A memory in the bin. */
export type DeletedMemory = Awaited<ReturnType<typeof app.deletions.list>>[number];

/** Returns a memory that is in the bin. Returns undefined if it is not there, or nobody can look. */
export async function findDeleted(id: string): Promise<DeletedMemory | undefined> {
  const bin = may('bin') ? await app.deletions.list().catch(() => []) : [];
  return bin.find((each) => each.id === id);
}

interface GoneProps {
  readonly deleted: DeletedMemory | undefined;
  /** Called when the memory is back. */
  readonly onBack: () => void;
}

/** The way back, if the memory is in the bin, and its text. */
export function Gone({ deleted, onBack }: GoneProps) {
  const restoring = useAction();
  if (deleted === undefined)
    return (
      <>
        <p>It was deleted, or the end of its address is missing.</p>
        <MaybeMeant />
      </>
    );
  const bringBack = async () => {
    await restore([deleted.id]);
    onBack();
  };
  const { started_at, duration_seconds, erased_at } = deleted;
  const ended_at = new Date(Date.parse(started_at) + duration_seconds * 1000).toISOString();
  return (
    <>
      <When memory={{ started_at, ended_at, duration_seconds }} lines={undefined} />
      <p class="actions">
        <span>
          In the <Link to="bin">bin</Link> until {shortDate(erased_at)}.
        </span>
        <button
          type="button"
          class="primary"
          disabled={restoring.isBusy}
          onClick={() => restoring.run(bringBack)}
        >
          {restoring.isBusy ? 'Restoring…' : 'Restore'}
        </button>
      </p>
      <FailureNotice failure={restoring.failure} />
      <BinnedText id={deleted.id} />
    </>
  );
}

/** What can be read of a memory in the bin, as the reader has it. */
function BinnedText({ id }: Pick<DeletedMemory, 'id'>) {
  const { data } = useResource(`bin ${id}`, () => app.deletions.get({ id }));
  const root = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => splitTranscript(data?.transcript ?? ''), [data]);
  const names = useMemo(() => sharesOf(lines).map(({ speaker }) => speaker), [lines]);
  useLayoutEffect(() => {
    const hues = huesOf(names, hueOwners());
    root.current?.replaceChildren(...lines.map((_, at) => lineElement(lines, at + 1, hues)));
  }, [lines]);
  return (
    <>
      {names.length > 0 && (
        <p class="note">With {names.map((name) => personOf(name ?? 'others')).join(', ')}</p>
      )}
      {data?.summary && <p dir="auto">{plainText(data.summary)}</p>}
      <div class="lines" ref={root} />
    </>
  );
}
