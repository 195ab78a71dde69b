// The menu of a screen: settings of the screen, and its request to the API.

import type { ComponentChildren } from 'preact';

import { AS_REQUEST, AsCurl, type ShownRequest } from './as-curl.tsx';
import { Menu } from './controls/menu.tsx';

interface OptionsProps extends ShownRequest {
  readonly children?: ComponentChildren;
}

/** The menu. If the request is all that it has, the button says so. */
export function Options({ children, ...request }: OptionsProps) {
  const [label, sign] = children ? ['Options', '⋯'] : [AS_REQUEST, 'API'];
  return (
    <Menu {...{ label, sign }}>
      {children}
      <div class="as-curl">
        <AsCurl {...request} />
      </div>
    </Menu>
  );
}
