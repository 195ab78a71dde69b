// Names in a line, each with the way to what it is about.

import { useState } from 'preact/hooks';

import { Link } from '../../parts/link.tsx';
import { personOf } from '../../parts/title.ts';
import { pathOfPerson } from './portrait.tsx';

interface NameLinksProps {
  /** What is said before the names. */
  readonly label: string;
  /** The names, and how many memories each has, if that is shown. */
  readonly names: readonly { readonly name: string; readonly memories?: number }[] | undefined;
  /** Returns the path that a name leads to. Default: the page of the person. */
  readonly pathOf?: (name: string) => string;
}

/** How many names are shown, if there are more. */
const FEW = 3;

/** The names: all, or a few and the way to all. The line keeps its place while they are loaded. */
export function NameLinks({ label, names = [], pathOf = pathOfPerson }: NameLinksProps) {
  const [isOpen, setIsOpen] = useState(false);
  const others = isOpen || names.length <= FEW + 1 ? 0 : names.length - FEW;
  return (
    <p class="names">
      {names.length > 0 && <span class="note">{label}</span>}
      {names.slice(0, names.length - others).map(({ name, memories }) => (
        <Link key={name} to={pathOf(name)}>
          <bdi>{personOf(name)}</bdi> <span class="note">{memories?.toLocaleString('en')}</span>
        </Link>
      ))}
      {others > 0 && (
        <button type="button" class="plain" onClick={() => setIsOpen(true)}>
          and {others} others
        </button>
      )}
    </p>
  );
}
