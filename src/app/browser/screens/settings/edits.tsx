// Settings → Edits: what was put right in memories, latest first, each with its undo.

import { canChange } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { useResource } from '../../state/resource.ts';
import { app } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { Table } from './rows.tsx';
import { ReadOnlyScreen, SettingsScreen } from './settings.tsx';

type EditRecord = Awaited<ReturnType<typeof app.edits.list>>[number];

const WHAT: Readonly<Record<EditRecord['field'], string>> = {
  name: 'Name',
  started_at: 'Start',
  speaker: 'Speaker',
};

const COLUMNS = {
  Edit: ({ field, from, to }: EditRecord) => (
    <>
      {WHAT[field]} {from !== null && <bdi>“{from}” → </bdi>}
      <bdi>{field === 'started_at' ? formats.value.moment(to) : `“${to}”`}</bdi>
    </>
  ),
  In: ({ memory_id }: EditRecord) =>
    memory_id === null ? 'all memories' : <Link to={`m/${memory_id}`}>one memory</Link>,
  Made: ({ made_at }: EditRecord) => formats.value.moment(made_at),
};

/** The screen of the edits. */
export function EditsScreen() {
  return canChange() ? <OwnEdits /> : <ReadOnlyScreen title="Edits" />;
}

function OwnEdits() {
  const edits = useResource('edits', app.edits.list);
  return (
    <SettingsScreen title="Edits" isReady={edits.data !== undefined}>
      <p class="note">
        What you have put right. “Undo” gives back what was imported. The log under Devices says on
        which device each was made.
      </p>
      <Table
        loaded={edits}
        none="No edits."
        columns={COLUMNS}
        actionsOf={({ id }) => ({ Undo: () => app.edits.undo({ id }) })}
      />
    </SettingsScreen>
  );
}
