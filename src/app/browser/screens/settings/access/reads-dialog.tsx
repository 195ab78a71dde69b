// What a key has read in the last 30 days: paths, how often and when last. It is loaded when it is opened.

import type { KeyRecord } from '../../../parts/api-keys.ts';
import { Dialog, DoneButton } from '../../../parts/controls/dialog.tsx';
import { Awaited } from '../../../parts/notice.tsx';
import { useResource } from '../../../state/resource.ts';
import { app } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';

interface ReadsProps {
  readonly of: KeyRecord;
  readonly onClose: () => void;
}

/** The dialog of what a key has read. */
export function ReadsDialog({ of: { id, label }, onClose }: ReadsProps) {
  const loaded = useResource(`reads ${id}`, () => app.keys.reads({ id }));
  return (
    <Dialog title={`What “${label}” has read`} onClose={onClose}>
      <p class="note">In the last 30 days, by path. What it searched for is not kept.</p>
      <Awaited {...loaded} rows={3} />
      {loaded.data?.length === 0 && <p>Nothing.</p>}
      <ol class="log">
        {loaded.data?.map(({ path, last_at, count }) => (
          <li key={path}>
            <time dateTime={last_at}>{formats.value.moment(last_at)}</time>
            <span translate={false}>{path}</span>
            <span class="note">{count > 1 && `${count.toLocaleString('en')} times`}</span>
          </li>
        ))}
      </ol>
      <DoneButton onDone={onClose} />
    </Dialog>
  );
}
