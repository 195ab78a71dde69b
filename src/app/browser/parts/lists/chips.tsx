// The limits of a list as chips: each is a link to the list without it.

import { Link } from '../link.tsx';
import { isolated } from '../title.ts';

/** A limit of a list. */
export interface Chip {
  /** What it limits, such as "with" or "from". */
  readonly label: string;
  readonly text: string;
  /** The path of the list without the limit. */
  readonly to: string;
}

interface ChipsProps {
  readonly chips: readonly Chip[];
}

/** Whether nothing is left of a search: then all memories are meant. */
const isAll = (path: string) => /^search(\?sort=\w+)?$/.test(path);

/** The chips, if there are any. Enter takes the one with the focus, as a click does. */
export function Chips({ chips }: ChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Limits">
      {chips.map(({ label, text, to }) => (
        <li key={`${label} ${text}`}>
          <Link to={isAll(to) ? '' : to} isInstead class="chip">
            <span>{label}</span> <bdi>{isolated(text)}</bdi>{' '}
            <i role="img" aria-label="Remove">
              ×
            </i>
          </Link>
        </li>
      ))}
    </ul>
  );
}
