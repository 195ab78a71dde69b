// Names in a line, each with the way to what it is about.

import { Link } from '../../parts/link.tsx';
import { pathOfPerson } from './portrait.tsx';

interface NameLinksProps {
  /** What is said before the names. */
  readonly label: string;
  /** The names, and how many memories each has, if that is shown. */
  readonly names: readonly { readonly name: string; readonly memories?: number }[] | undefined;
  /** Returns the path that a name leads to. Default: the page of the person. */
  readonly pathOf?: (name: string) => string;
}

/** The names. The line keeps its place while they are loaded. */
export function NameLinks({ label, names = [], pathOf = pathOfPerson }: NameLinksProps) {
  return (
    <p class="names">
      {names.length > 0 && <span class="note">{label}</span>}
      {names.map(({ name, memories }) => (
        <Link key={name} to={pathOf(name)}>
          <bdi>{name}</bdi> <span class="note">{memories?.toLocaleString('en')}</span>
        </Link>
      ))}
    </p>
  );
}
