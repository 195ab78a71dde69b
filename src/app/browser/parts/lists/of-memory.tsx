// What was found in a memory, below its name and time.

import type { ComponentChildren } from 'preact';

import { formats } from '../../time-formats.ts';
import { titleOf } from '../title.ts';

interface OfMemoryProps {
  readonly of: { readonly memory_id: string; readonly name: string; readonly started_at: string };
  /** Items of a list. */
  readonly children: ComponentChildren;
}

/** A section about a memory. */
export function OfMemory({ of: { memory_id, name, started_at }, children }: OfMemoryProps) {
  const id = `memory-${memory_id}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <bdi>{titleOf(name)}</bdi>{' '}
        <time class="note" dateTime={started_at}>
          {formats.value.moment(started_at)}
        </time>
      </h2>
      <ul class="rows">{children}</ul>
    </section>
  );
}
