// Names in a line, each with the way to its person.

import { useState } from 'preact/hooks';

import { Dialog, DoneButton } from '../../parts/controls/dialog.tsx';
import { TextInput } from '../../parts/controls/fields.tsx';
import { Link } from '../../parts/link.tsx';
import { personOf } from '../../parts/title.ts';
import { go } from '../../state/router.ts';
import { isOwnName } from '../../state/session.ts';
import { pathOfPerson } from './portrait.tsx';

interface NameLinksProps {
  /** What is said before the names. */
  readonly label: string;
  /** The names, and how many memories each has, if that is shown. */
  readonly names: readonly Named[] | undefined;
}

interface Named {
  readonly name: string;
  readonly memories?: number;
}

/** How many names are shown, if there are more. */
const FEW = 3;

/** The names of others: all, or a few and a list of all. The line keeps its place while they are loaded. */
export function NameLinks({ label, names: all = [] }: NameLinksProps) {
  const [isOpen, setIsOpen] = useState(false);
  // Nobody asks who takes part to read that they do.
  const names = all.filter(({ name }) => !isOwnName(name));
  const others = names.length <= FEW + 1 ? 0 : names.length - FEW;
  return (
    <>
      <p class="names">
        {names.length > 0 && <span class="note">{label}</span>}
        {names.slice(0, names.length - others).map(linkTo)}
        {others > 0 && (
          <button type="button" class="plain" onClick={() => setIsOpen(true)}>
            <u>{`and ${others} others`}</u>
          </button>
        )}
      </p>
      {isOpen && <NamesDialog {...{ label, names }} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function linkTo({ name, memories }: Named) {
  return (
    <Link key={name} to={pathOfPerson(name)}>
      <bdi>{personOf(name)}</bdi> <span class="note">{memories?.toLocaleString('en')}</span>
    </Link>
  );
}

interface NamesDialogProps {
  readonly label: string;
  readonly names: readonly Named[];
  readonly onClose: () => void;
}

/** All names, and a field that finds some of them. Enter opens the first. */
function NamesDialog({ label, names, onClose }: NamesDialogProps) {
  const [typed, setTyped] = useState('');
  const found = names.filter(({ name }) =>
    personOf(name).toLowerCase().includes(typed.trim().toLowerCase()),
  );
  const open = (event: Event) => {
    event.preventDefault();
    const [first] = found;
    if (first) go(pathOfPerson(first.name));
  };
  return (
    <Dialog title={label} onClose={onClose}>
      <form onSubmit={open}>
        <TextInput label="Find a name" value={typed} onValue={setTyped} />
      </form>
      <ul class="shares">
        {found.map((each) => (
          <li key={each.name}>{linkTo(each)}</li>
        ))}
      </ul>
      <DoneButton onDone={onClose} />
    </Dialog>
  );
}
