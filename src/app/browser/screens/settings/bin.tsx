// The bin: deleted memories, which come back by "Undo" until they are erased.

import { countedMemories } from '../../format.ts';
import { AskButton } from '../../parts/controls/dialog.tsx';
import { canChange } from '../../parts/deleting.tsx';
import { titleOf } from '../../parts/title.ts';
import { useResource } from '../../state/resource.ts';
import { useArrival } from '../../state/router.ts';
import { app, me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { Table } from './rows.tsx';
import { ReadOnlyScreen } from './settings.tsx';

/** The screen of the bin. */
export function BinScreen() {
  return canChange() ? <OwnBin /> : <ReadOnlyScreen title="Bin" />;
}

function OwnBin() {
  const bin = useResource('bin', app.deletions.list);
  const { data, reload } = bin;
  useArrival(data !== undefined, 'Bin');
  const empty = async () => {
    await app.deletions.empty();
    reload();
  };
  const { short, moment } = formats.value;
  return (
    <div class="settings">
      <div class="heading">
        <h1 tabIndex={-1}>Bin</h1>
        {data !== undefined && data.length > 0 && (
          <AskButton
            text="Empty bin"
            title={`Erase ${countedMemories(data.length)} for good?`}
            action="Erase"
            isDangerous
            onAction={empty}
          >
            <p>There is no way back except a backup.</p>
          </AskButton>
        )}
      </div>
      <p class="note">
        Deleted memories stay here for {me.value?.bin_days ?? 0} days, and are then erased. No
        program can read them.
      </p>
      <Table
        loaded={bin}
        none="The bin is empty."
        columns={{
          Name: ({ name }) => <bdi>{titleOf(name)}</bdi>,
          Recorded: ({ started_at }) => moment(started_at),
          Deleted: ({ deleted_at }) => moment(deleted_at),
          'Erased after': ({ erased_at }) => short(erased_at),
        }}
        actionsOf={({ id }) => ({ Undo: () => app.deletions.undo({ id }) })}
      />
    </div>
  );
}
