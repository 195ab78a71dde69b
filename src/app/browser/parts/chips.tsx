// What a list is limited to, as chips. Each is a link to the list without it.

import { Link } from './link.tsx';

/** A limit of a list. */
export interface Chip {
  /** What it limits, such as "with" or "from". */
  readonly label: string;
  readonly text: string;
  /** The path of the list without it. */
  readonly without: string;
}

/** The chips, if there are any. Enter takes the one with the focus away, as a click does. */
export function Chips({ chips }: { readonly chips: readonly Chip[] }) {
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Limits">
      {chips.map(({ label, text, without }) => (
        <li key={`${label} ${text}`}>
          <Link to={without} isInstead class="chip">
            <span>{label}</span> <bdi>{text}</bdi>{' '}
            <i role="img" aria-label="Remove">
              ×
            </i>
          </Link>
        </li>
      ))}
    </ul>
  );
}
