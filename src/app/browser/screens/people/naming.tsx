// What people are called: a name becomes another one in all memories, or one with somebody else's, and is parted again.

import { useEffect, useState } from 'preact/hooks';

import type { PersonTotals } from '../../../../contract/schemas/facets.ts';
import { isSpeakerLabel } from '../../../../text/speaker.ts';
import { useAction } from '../../parts/controls/action.ts';
import { AskButton } from '../../parts/controls/dialog.tsx';
import { LabelInput } from '../../parts/controls/fields.tsx';
import { nameOf, personOf } from '../../parts/title.ts';
import { putRight, undoEdit } from '../../state/changes/put-right.ts';
import { tellFailure } from '../../state/changes/undo.ts';
import { useResource } from '../../state/resource.ts';
import { go, place } from '../../state/router.ts';
import { api, app } from '../../state/session.ts';
import { pathOfPerson } from './portrait.tsx';

/** Names that became this one in all memories, each with the way to part them again. */
export function Joined({ name: called }: { readonly name: string }) {
  const { data = [] } = useResource(`joined ${called}`, app.edits.list, true);
  const { run, isBusy } = useAction(tellFailure);
  return (
    <>
      {data.map(
        ({ id, field, memory_id, from, to }) =>
          field === 'speaker' &&
          memory_id === null &&
          from !== null &&
          to === called && (
            <p key={id} class="note">
              Also imported as <bdi>“{personOf(from)}”</bdi> ·{' '}
              <button
                type="button"
                class="plain"
                disabled={isBusy}
                onClick={() => run(() => part(id, from))}
              >
                Part
              </button>
            </p>
          ),
      )}
    </>
  );
}

async function part(id: string, from: string): Promise<void> {
  await undoEdit(id);
  go(pathOfPerson(from));
}

/** Returns which of two names becomes the other: both are called as more memories have it. */
export function mergeOf(short: string, long: string, all: readonly PersonTotals[]) {
  const often = (one: string) => all.find(({ name }) => name === one)?.memories ?? 0;
  return often(short) > often(long) ? { from: long, to: short } : { from: short, to: long };
}

interface NameButtonProps {
  readonly from: string;
  /** The new name. Default: to be typed. */
  readonly to?: string;
  readonly text: string;
  readonly class?: string;
}

/** Gives a person another name in all memories. With the name of somebody else, both become one. */
export function NameButton({ from: name, to: other = name, ...button }: NameButtonProps) {
  const [to, setTo] = useState(personOf(other));
  const [isMerge, setMerge] = useState(other !== name);
  const save = async () => {
    const typed = nameOf(to);
    await putRight(
      { speakers: [{ from: name, to: typed }] },
      {
        said: `“${personOf(name)}” is “${personOf(typed)}” now.`,
        onChange: (isUndone) => {
          const [here, there] = isUndone ? [typed, name] : [name, typed];
          // The reader may be elsewhere by then.
          if (place.value.path === pathOfPerson(here)) go(pathOfPerson(there), 'replace');
        },
      },
    );
  };
  return (
    <AskButton
      {...button}
      title={
        isMerge ? `Merge “${personOf(name)}” with “${to}”` : `Rename “${personOf(name)}” everywhere`
      }
      action={isMerge ? 'Merge' : 'Save'}
      onAction={save}
    >
      <NewName name={name} to={to} onValue={setTo} onKnown={setMerge} />
    </AskButton>
  );
}

interface NewNameProps {
  readonly name: string;
  readonly to: string;
  readonly onValue: (to: string) => void;
  /** It is known whether the name is somebody else's. */
  readonly onKnown: (isOther: boolean) => void;
}

/** The new name, with a list of those that there are, and what becomes of both. */
function NewName({ name, to, onValue, onKnown }: NewNameProps) {
  const { data } = useResource('all names', async () => {
    const { items } = await api.people.page({ limit: 1000 });
    return items.flatMap((each) => (isSpeakerLabel(each.name) ? [] : personOf(each.name)));
  });
  const isOther = to !== personOf(name) && data?.includes(to);
  useEffect(() => {
    if (isOther !== undefined) onKnown(isOther);
  }, [isOther]);
  return (
    <>
      <LabelInput label="Name" list="all-names" maxLength={60} value={to} onValue={onValue} />
      <datalist id="all-names">
        {data?.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </datalist>
      <p class="note" role="status">
        {isOther
          ? `${personOf(name)} will be one person with ${to}, in all memories and in those that you import later.`
          : 'In all memories, and in those that you import later.'}
      </p>
    </>
  );
}
