// Names in a line, each with the way to its person.

import { useState } from 'preact/hooks';

import { OWNER } from '../../../../text/speaker.ts';
import { Link } from '../../parts/link.tsx';
import { personOf } from '../../parts/title.ts';
import { me } from '../../state/session.ts';
import { pathOfPerson } from './portrait.tsx';

interface NameLinksProps {
  /** What is said before the names. */
  readonly label: string;
  /** The names, and how many memories each has, if that is shown. */
  readonly names: readonly { readonly name: string; readonly memories?: number }[] | undefined;
}

/** How many names are shown, if there are more. */
const FEW = 3;

/** The names of others: all, or a few and the way to all, and back. The line keeps its place while they are loaded. */
export function NameLinks({ label, names: all = [] }: NameLinksProps) {
  const [isOpen, setIsOpen] = useState(false);
  // Nobody asks who takes part to read that they do.
  const names = all.filter(({ name }) => name !== OWNER && name !== me.value?.account.name);
  const others = names.length <= FEW + 1 ? 0 : names.length - FEW;
  const link = ({ name, memories }: (typeof all)[number]) => (
    <Link key={name} to={pathOfPerson(name)}>
      <bdi>{personOf(name)}</bdi> <span class="note">{memories?.toLocaleString('en')}</span>
    </Link>
  );
  return (
    <p class="names">
      {names.length > 0 && <span class="note">{label}</span>}
      {names.slice(0, names.length - others).map(link)}
      {/* It stays where it is, before what it shows. */}
      {others > 0 && (
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Fewer' : <u>{`and ${others} others`}</u>}
        </button>
      )}
      {isOpen && names.slice(FEW).map(link)}
    </p>
  );
}
