// The menu of a screen, in its head: what is not reading.

import type { ComponentChildren } from 'preact';

import { select } from '../state/list/selection.ts';
import { AsCurl, type ShownRequest } from './as-curl.tsx';
import { Menu, MenuAction } from './controls/menu.tsx';

interface OptionsProps extends ShownRequest {
  /** Whether the screen has rows to select. Only the rows near the window could be printed. */
  readonly hasRows?: boolean | undefined;
  /** Settings of the screen. */
  readonly children?: ComponentChildren;
}

/** The menu. */
export function Options({ hasRows, children, ...request }: OptionsProps) {
  return (
    <Menu label="Options" sign="⋯">
      {hasRows ? (
        <MenuAction onRun={() => select(new Set())}>Select</MenuAction>
      ) : (
        <MenuAction onRun={() => print()}>Print</MenuAction>
      )}
      {children}
      <AsCurl {...request} />
    </Menu>
  );
}
