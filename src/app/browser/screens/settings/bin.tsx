// The bin: deleted memories, which can be restored until they are erased.

import { useRef, useState } from 'preact/hooks';

import { lengthOf } from '../../../../text/length.ts';
import { countedMemories } from '../../format.ts';
import { useAction } from '../../parts/controls/action.ts';
import { AskButton } from '../../parts/controls/dialog.tsx';
import { canChange } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { shortDate } from '../../parts/short-date.ts';
import { plainText, titleOf } from '../../parts/title.ts';
import { useNews } from '../../state/changes/change-list.ts';
import { namedOrCounted, restore } from '../../state/changes/deletions.ts';
import { offer, tellFailure } from '../../state/changes/undo.ts';
import { useResource } from '../../state/resource.ts';
import { app, me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { Items } from './rows.tsx';
import { AccountPage, ReadOnlyScreen } from './settings.tsx';

type DeletedMemory = Awaited<ReturnType<typeof app.deletions.list>>[number];

/** The screen of the bin. */
export function BinScreen() {
  return canChange() ? <OwnBin /> : <ReadOnlyScreen title="Bin" />;
}

function OwnBin() {
  const bin = useResource('bin', app.deletions.list);
  const { data, reload } = bin;
  useNews(reload);
  const empty = async () => {
    await erase();
    reload();
  };
  const restoring = useAction(tellFailure);
  const restoreAll = async () => {
    await bringBack(data ?? []);
    reload();
  };
  const { fromNow } = formats.value;
  // A restored one keeps its place, so that no other comes under the pointer.
  const rows = useRef<readonly DeletedMemory[]>([]);
  const [restored, setRestored] = useState<ReadonlySet<string>>(new Set());
  const there = new Set(data?.map(({ id }) => id));
  const isBack = (id: string) => restored.has(id) && !there.has(id);
  const stays = rows.current.filter(({ id }) => isBack(id));
  if (data !== undefined)
    rows.current =
      stays.length === 0
        ? data
        : [
            ...data.filter(({ id }) => !rows.current.some((each) => each.id === id)),
            ...rows.current.flatMap(
              (row) => (isBack(row.id) ? row : data.find(({ id }) => id === row.id)) ?? [],
            ),
          ];
  return (
    <AccountPage
      title="Bin"
      loaded={[bin]}
      beside={
        data?.[0] && (
          <>
            <button type="button" onClick={() => restoring.run(restoreAll)}>
              Restore all
            </button>
            <AskButton
              text="Erase all"
              class="plain"
              title={`Erase ${countedMemories(data.length)} for good?`}
              action="Erase"
              isDangerous
              onAction={empty}
            >
              <p>{NO_WAY_BACK}</p>
            </AskButton>
          </>
        )
      }
    >
      <p class="note">
        Deleted memories stay here for {me.value?.bin_days} days, and are then erased.
      </p>
      <Items
        loaded={{ ...bin, data: data && rows.current }}
        none="The bin is empty."
        quiet="Erase"
        tell={({ id, name, started_at, duration_seconds, summary, deleted_at, erased_at }) => ({
          title: (
            <Link to={`m/${id}`}>
              <bdi>{titleOf(name)}</bdi>
            </Link>
          ),
          facts: [
            shortDate(started_at),
            lengthOf(duration_seconds),
            `deleted ${fromNow(deleted_at, Date.now())}`,
            // Both are as long, and break nowhere, so that the row keeps its height.
            (isBack(id) ? 'restored just now' : `until ${shortDate(erased_at)}`).replaceAll(
              ' ',
              '\u00a0',
            ),
          ],
          more: summary !== '' && <p class="note">{plainText(summary)}</p>,
        })}
        actionsOf={({ id, name }) =>
          isBack(id)
            ? { Restore: undefined, Erase: undefined } // buttons keep the height of the row
            : {
                Restore: async () => {
                  setRestored((old) => new Set([...old, id])); // once it is no longer there
                  await bringBack([{ id, name }]);
                },
                Erase: {
                  title: `Erase “${titleOf(name)}” for good?`,
                  text: NO_WAY_BACK,
                  run: () => erase([{ id, name }]),
                },
              }
        }
      />
    </AccountPage>
  );
}

type Named = Pick<DeletedMemory, 'id' | 'name'>;

/** Erases memories of the bin. Default: all. Rejects with `Failure`. */
async function erase(some?: readonly Named[]): Promise<void> {
  await app.deletions.empty(some ? { ids: some.map(({ id }) => id) } : {});
  offer({ said: some ? `${namedOrCounted(some)} erased.` : 'The bin is empty now.' });
}

/** Restores memories of the bin, and says so. Rejects with `Failure`. */
export async function bringBack(some: readonly Named[]): Promise<void> {
  offer({ said: 'Restoring…' }); // and what could be undone no longer can: it may be restored here
  let said;
  try {
    await restore(some.map(({ id }) => id));
    said = `${namedOrCounted(some)} restored.`;
  } finally {
    offer(said === undefined ? undefined : { said });
  }
}

const NO_WAY_BACK = 'There is no way back except a backup.';
