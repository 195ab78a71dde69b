// Links to what a screen can show, as tabs.

import { Link, type LinkProps } from './link.tsx';

interface TabsProps<C extends string> extends Pick<LinkProps, 'isInstead'> {
  readonly label: string;
  /** The choices with their texts. */
  readonly choices: Readonly<Record<C, string>>;
  readonly choice: C;
  /** Returns the path of a choice. */
  readonly pathOf: (choice: C) => string;
}

/** Links to what a screen can show, one of which it shows now. */
export function Tabs<C extends string>({
  label,
  choices,
  choice,
  pathOf,
  isInstead,
}: TabsProps<C>) {
  return (
    <nav aria-label={label} class="tabs">
      {(Object.keys(choices) as C[]).map((each) => (
        <Link key={each} to={pathOf(each)} isInstead={isInstead} isCurrent={each === choice}>
          {choices[each]}
        </Link>
      ))}
    </nav>
  );
}
