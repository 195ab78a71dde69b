// What stands in place of a memory that is gone: the way back from the bin, or what may have been meant.

import { useAction } from '../../parts/controls/action.ts';
import { Link } from '../../parts/link.tsx';
import { MaybeMeant } from '../../parts/not-found.tsx';
import { FailureNotice } from '../../parts/notice.tsx';
import { restore } from '../../state/changes/deletions.ts';
import { app, may } from '../../state/session.ts';

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

/** The way back, if the memory is in the bin. */
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
  return (
    <>
      <p>
        This memory is in the <Link to="bin">bin</Link>.
      </p>
      <FailureNotice failure={restoring.failure} />
      <p class="actions">
        <button
          type="button"
          class="primary"
          disabled={restoring.isBusy}
          onClick={() => restoring.run(bringBack)}
        >
          {restoring.isBusy ? 'Restoring…' : 'Restore'}
        </button>
      </p>
    </>
  );
}
