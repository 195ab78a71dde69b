// The bin: deleted memories, which can be restored until they are erased.

import { countedMemories } from '../../format.ts';
import { useAction } from '../../parts/controls/action.ts';
import { AskButton } from '../../parts/controls/dialog.tsx';
import { canChange } from '../../parts/deleting.tsx';
import { titleOf } from '../../parts/title.ts';
import { useNews } from '../../state/changes/change-list.ts';
import { restore } from '../../state/changes/deletions.ts';
import { offer, tellFailure } from '../../state/changes/undo.ts';
import { useResource } from '../../state/resource.ts';
import { app, me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { Items } from './rows.tsx';
import { AccountPage, ReadOnlyScreen } from './settings.tsx';

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
    await bringBack(data?.map(({ id }) => id) ?? []);
    reload();
  };
  const { date, fromNow, short } = formats.value;
  const hasSome = data !== undefined && data.length > 0;
  return (
    <AccountPage
      title="Bin"
      isReady={data !== undefined}
      beside={
        hasSome && (
          <>
            <button type="button" onClick={() => restoring.run(restoreAll)}>
              Restore all
            </button>
            <AskButton
              text="Erase all"
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
        Deleted memories stay here for {me.value?.bin_days} days, and are then erased. No program
        can read them.
      </p>
      <Items
        loaded={bin}
        none="The bin is empty."
        tell={({ name, started_at, deleted_at, erased_at }) => ({
          title: <bdi>{titleOf(name)}</bdi>,
          facts: [
            `recorded ${date(started_at)}`,
            `deleted ${fromNow(deleted_at, Date.now())}`,
            `erased on ${short(erased_at)}`,
          ],
        })}
        actionsOf={({ id, name }) => ({
          Restore: () => bringBack([id]),
          Erase: {
            title: `Erase “${titleOf(name)}” for good?`,
            text: NO_WAY_BACK,
            run: () => erase([id]),
          },
        })}
      />
    </AccountPage>
  );
}

/** Erases memories of the bin. Default: all. Rejects with `Failure`. */
async function erase(ids?: string[]): Promise<void> {
  await app.deletions.empty(ids ? { ids } : {});
  offer({ said: ids ? `${countedMemories(ids.length)} erased.` : 'The bin is empty now.' });
}

async function bringBack(ids: readonly string[]): Promise<void> {
  offer({ said: 'Restoring…' }); // and what could be undone no longer can: it may be restored here
  let said;
  try {
    await restore(ids);
    said = `${countedMemories(ids.length)} restored.`;
  } finally {
    offer(said === undefined ? undefined : { said });
  }
}

const NO_WAY_BACK = 'There is no way back except a backup.';
