// Facts: names with their values.

import type { ComponentChildren } from 'preact';

/** What the list needs. */
export interface FactsProps {
  /** Values by their names. */
  readonly facts: Readonly<Record<string, ComponentChildren>>;
}

/** A list of names and values. */
export function FactList({ facts }: FactsProps) {
  return (
    <dl class="facts">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
