// What was found in a memory, below its name and time.

import type { ComponentChild, ComponentChildren } from 'preact';

import { formats } from '../../time-formats.ts';
import { Link } from '../link.tsx';
import { titleOf } from '../title.ts';

interface OfMemoryProps {
  readonly of: { readonly memory_id: string; readonly name: string; readonly started_at: string };
  /** The path that its name leads to. */
  readonly to: string;
  /** Its name with marks. Default: the name alone. */
  readonly marked?: ComponentChildren;
  /** Whether the link is a result of its own. */
  readonly isFound?: boolean;
  /** Items of a list. */
  readonly children: readonly ComponentChild[];
}

/** A section about a memory. */
export function OfMemory({ of, to, marked, isFound, children }: OfMemoryProps) {
  const { memory_id, name, started_at } = of;
  const id = `memory-${memory_id}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <Link to={to} class={isFound ? 'found' : ''}>
          <bdi>{marked ?? titleOf(name)}</bdi>
        </Link>{' '}
        <time class="note" dateTime={started_at}>
          {formats.value.moment(started_at)}
        </time>
      </h2>
      {children.length > 0 && <ul class="rows">{children}</ul>}
    </section>
  );
}
