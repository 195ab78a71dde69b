// Names in a line, each with the way to its person, or to the memories of some days with that one.

import { useState } from 'preact/hooks';

import { Link } from '../../parts/link.tsx';
import { NamesDialog } from '../../parts/names-dialog.tsx';
import { personOf } from '../../parts/title.ts';
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
      {isOpen && (
        <NamesDialog title={label} names={names} onClose={() => setIsOpen(false)}>
          {(each) => <li key={each.name}>{linkBy(pathOf)(each)}</li>}
        </NamesDialog>
      )}
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
