// The limits of a list as chips: each is a link to the list without it, or with it.

import { Link } from '../link.tsx';
import { isolated } from '../title.ts';

/** A limit of a list. */
export interface Chip {
  /** What it limits, such as "with" or "from". */
  readonly label: string;
  readonly text: string;
  /** The path of the list without the limit. If the chip is a suggestion, it is the path with it. */
  readonly to: string;
}

interface ChipsProps {
  readonly chips: readonly Chip[];
  /** Whether they are limits that the list could have. */
  readonly areSuggested?: boolean;
}

/** The chips, if there are any. Enter takes the one with the focus, as a click does. */
export function Chips({ chips, areSuggested }: ChipsProps) {
  if (chips.length === 0) return null;
  const sign = (
    <i role="img" aria-label={areSuggested ? 'Add' : 'Remove'}>
      {areSuggested ? '+' : '×'}
    </i>
  );
  return (
    <ul class="chips" aria-label={areSuggested ? 'Suggestions' : 'Limits'}>
      {chips.map(({ label, text, to }) => (
        <li key={`${label} ${text}`}>
          <Link to={to} isInstead class={areSuggested ? 'chip suggested' : 'chip'}>
            {areSuggested && sign} <span>{label}</span> <bdi>{isolated(text)}</bdi>{' '}
            {!areSuggested && sign}
          </Link>
        </li>
      ))}
    </ul>
  );
}
