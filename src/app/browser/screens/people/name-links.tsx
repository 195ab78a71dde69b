// Names in a line, each with the way to its person, or to the memories of some days with that one.

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
  /** Returns the path of a name. Default: that of the person. */
  readonly pathOf?: (name: string) => string;
}

interface Named {
  readonly name: string;
  readonly memories?: number;
}

/** How many names are shown, if there are more. */
const FEW = 3;

/** The names of others: all, or a few and a list of all. The line keeps its place while they are loaded. */
export function NameLinks({ label, names: all = [], pathOf = pathOfPerson }: NameLinksProps) {
  const [isOpen, setIsOpen] = useState(false);
  // Nobody asks who takes part to read that they do.
  const names = all.filter(({ name }) => !isOwnName(name));
  const others = names.length <= FEW + 1 ? 0 : names.length - FEW;
  return (
    <>
      <p class="names">
        {names.length > 0 && <span class="note">{label}</span>}
        {names.slice(0, names.length - others).map(linkBy(pathOf))}
        {others > 0 && (
          <button type="button" class="plain" onClick={() => setIsOpen(true)}>
            <u>{`and ${others} others`}</u>
          </button>
        )}
      </p>
      {isOpen && <NamesDialog {...{ label, names, pathOf }} onClose={() => setIsOpen(false)} />}
    </>
  );
}

type PathOf = NonNullable<NameLinksProps['pathOf']>;

const linkBy =
  (pathOf: PathOf) =>
  ({ name, memories }: Named) => (
    <Link key={name} to={pathOf(name)}>
      <bdi>{personOf(name)}</bdi> <span class="note">{memories?.toLocaleString('en')}</span>
    </Link>
  );

interface NamesDialogProps {
  readonly label: string;
  readonly names: readonly Named[];
  readonly pathOf: PathOf;
  readonly onClose: () => void;
}

/** All names, and a field that finds some of them. Enter opens the first. */
function NamesDialog({ label, names, pathOf, onClose }: NamesDialogProps) {
  const [typed, setTyped] = useState('');
  const found = names.filter(({ name }) =>
    personOf(name).toLowerCase().includes(typed.trim().toLowerCase()),
  );
  const open = (event: Event) => {
    event.preventDefault();
    const [first] = found;
    if (first) go(pathOf(first.name));
  };
  return (
    <Dialog title={label} onClose={onClose}>
      <form onSubmit={open}>
        <TextInput label="Find a name" value={typed} onValue={setTyped} />
      </form>
      <ul class="shares">
        {found.map((each) => (
          <li key={each.name}>{linkBy(pathOf)(each)}</li>
        ))}
      </ul>
      <DoneButton onDone={onClose} />
    </Dialog>
  );
}
