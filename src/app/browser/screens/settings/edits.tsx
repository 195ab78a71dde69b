// Settings → Edits: what was put right in memories, latest first, each with its undo.

import { canChange } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { personOf, titleOf } from '../../parts/title.ts';
import { useNews } from '../../state/changes/change-list.ts';
import { undoEdit } from '../../state/changes/put-right.ts';
import { knownRow, readRow } from '../../state/list/list.ts';
import { useResource } from '../../state/resource.ts';
import { app } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { Items } from './rows.tsx';
import { ReadOnlyScreen, SettingsScreen } from './settings.tsx';

type EditRecord = Awaited<ReturnType<typeof app.edits.list>>[number];

const WHAT: Readonly<Record<EditRecord['field'], string>> = {
  name: 'Name',
  started_at: 'Start',
  speaker: 'Speaker',
};

interface ValueProps {
  readonly field: EditRecord['field'];
  readonly value: string;
}

/** A value of a field, before or after an edit. */
function Value({ field, value }: ValueProps) {
  if (field === 'started_at') return formats.value.moment(value);
  return <bdi>“{field === 'speaker' ? personOf(value) : titleOf(value)}”</bdi>;
}

function factsOf({ field, from, to, memory_id, made_at }: EditRecord) {
  const after = <Value field={field} value={to} />;
  return {
    title: (
      <>
        {from !== null && (
          <>
            <Value field={field} value={from} /> →{' '}
          </>
        )}
        {field === 'name' ? <Link to={`m/${memory_id}`}>{after}</Link> : after}
      </>
    ),
    facts: [
      WHAT[field],
      memory_id === null ? 'in all memories' : field !== 'name' && <OfMemory id={memory_id} />,
      formats.value.fromNow(made_at, Date.now()),
    ],
  };
}

/** A link to a memory by its name, once that is read. */
export function OfMemory({ id }: { readonly id: string }) {
  const { data } = useResource(`name ${id}`, async () => knownRow(id) ?? readRow(id));
  return <Link to={`m/${id}`}>{data ? titleOf(data.name) : id}</Link>;
}

/** The screen of the edits. */
export function EditsScreen() {
  return canChange() ? <OwnEdits /> : <ReadOnlyScreen title="Edits" />;
}

function OwnEdits() {
  const edits = useResource('edits', app.edits.list);
  useNews(edits.reload);
  return (
    <SettingsScreen title="Edits" loaded={[edits]}>
      {edits.data?.[0] && <p class="note">Undo brings back the imported text.</p>}
      <Items
        loaded={edits}
        none="No edits yet. To rename a memory, change its start or name a speaker, open it and choose ⋯."
        tell={factsOf}
        actionsOf={({ id }) => ({ Undo: () => undoEdit(id) })}
      />
    </SettingsScreen>
  );
}
