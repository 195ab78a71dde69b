// The field of the filter for a person: a whole name, or a part of it, with the people to choose from.

import type { PersonTotals } from '../../../../contract/schemas/facets.ts';
import { isJoint, isSameName } from '../../../../text/same-name.ts';
import { isSpeakerLabel } from '../../../../text/speaker.ts';
import { useAction } from '../../parts/controls/action.ts';
import { isolated, nameOf, personOf } from '../../parts/title.ts';
import { tellFailure } from '../../state/changes/undo.ts';
import { api } from '../../state/session.ts';

/** The people who have a part of a name, those with the most memories first. */
export interface FoundNames {
  readonly part: string;
  readonly people: readonly PersonTotals[];
}

interface WithProps {
  /** Names to choose from. */
  readonly known: readonly string[];
  readonly onName: (name: string) => void;
  /** Several people have what was typed, or nobody. Undefined: something else is typed. */
  readonly onFound: (found: FoundNames | undefined) => void;
}

/** The field of a person. */
const WITH = 'with';

/** A field for a person: a whole name, or a part of one. */
export function With({ known, onName, onFound }: WithProps) {
  const { run } = useAction(tellFailure);
  const find = async (field: HTMLInputElement) => {
    const part = nameOf(field.value);
    if (part === '') return;
    const { items } = await api.people.page({ q: part, limit: 100 });
    const people = items.filter(({ name }) => !isSpeakerLabel(name) && !isJoint(name));
    const only = people.length === 1 ? people[0] : undefined;
    const person = items.find(({ name }) => isSameName(name, part)) ?? only;
    if (person === undefined) return onFound({ part, people });
    field.value = '';
    onName(person.name);
  };
  return (
    <>
      <label>
        With
        <input
          type="text"
          id={WITH}
          placeholder="Name"
          list="known-people"
          autocomplete="off"
          maxLength={200}
          onInput={() => onFound(undefined)}
          onChange={({ currentTarget }) => run(() => find(currentTarget))}
        />
      </label>
      <datalist id="known-people">
        {known.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  );
}

/** How many people of a name are offered. */
const MOST = 6;

/** The people to choose from, below the fields, so that none of these moves. */
export function Named({ part, people, onName }: FoundNames & Pick<WithProps, 'onName'>) {
  const take = (name: string) => {
    const field = document.querySelector<HTMLInputElement>(`#${WITH}`);
    if (field) field.value = '';
    field?.focus();
    onName(name);
  };
  return (
    <div class="chips">
      <span class="note" role="alert">
        {people.length > 0 ? 'Who is meant by' : 'Nobody is called'} <bdi>“{isolated(part)}”</bdi>
        {people.length > 0 && '?'}
      </span>
      {people.slice(0, MOST).map(({ name, memories }) => (
        <button key={name} type="button" onClick={() => take(name)}>
          <bdi>{personOf(name)}</bdi> <span class="note">{memories.toLocaleString('en')}</span>
        </button>
      ))}
    </div>
  );
}
