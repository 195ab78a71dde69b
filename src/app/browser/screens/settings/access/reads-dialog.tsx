// What a key or a client has read in the last 30 days: paths, how often and when last. It is loaded when it is opened.

import type { InferOutput } from 'valibot';

import type { ReadPath } from '../../../../contract/records.ts';
import { Dialog, DoneButton } from '../../../parts/controls/dialog.tsx';
import { Awaited } from '../../../parts/notice.tsx';
import { useResource } from '../../../state/resource.ts';
import { formats } from '../../../time-formats.ts';

interface ReadsProps {
  readonly id: string;
  /** The name of the key or the client. */
  readonly of: string;
  readonly load: (of: { id: string }) => Promise<InferOutput<typeof ReadPath>[]>;
  readonly onClose: () => void;
}

/** The dialog of what a key or a client has read. */
export function ReadsDialog({ id, of, load, onClose }: ReadsProps) {
  const loaded = useResource(`reads ${id}`, () => load({ id }));
  return (
    <Dialog title={`What “${of}” has read`} onClose={onClose}>
      <p class="note">In the last 30 days, by path. What it searched for is not kept.</p>
      <Awaited {...loaded} />
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
