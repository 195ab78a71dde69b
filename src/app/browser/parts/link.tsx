// A link to a screen of the app. It is a real link, so a new tab and copying its address work.

import type { ComponentChildren } from 'preact';

import { appAddressOf } from '../state/base.ts';
import { back, go } from '../state/router.ts';

/** What a link needs. */
export interface LinkProps {
  /** The path below `/app/`. Undefined: it leads nowhere now, and keeps its place. */
  readonly to: string | undefined;
  readonly class?: string;
  readonly id?: string;
  readonly tabIndex?: number;
  readonly title?: string | undefined;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-description'?: string;
  readonly 'aria-current'?: 'date' | undefined;
  /** Whether the link names the part of the app that is shown. */
  readonly isCurrent?: boolean;
  /** Whether it is the screen before, which Back shows as it was left. */
  readonly isBack?: boolean;
  /** Whether it changes what this screen shows, without a new entry in the history. */
  readonly isInstead?: boolean | undefined;
  /** Called before the app goes there. */
  readonly onGo?: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ComponentChildren;
}

/** A link to a screen. */
export function Link({ to, isCurrent, isBack, isInstead, onGo, children, ...rest }: LinkProps) {
  if (to === undefined)
    return (
      <span role="link" aria-disabled="true" {...rest}>
        {children}
      </span>
    );
  const follow = (event: MouseEvent) => {
    // Other clicks belong to the browser: a new tab, a new window, a download.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    onGo?.();
    if (isBack) back();
    else {
      const isHere = appAddressOf(to) === location.pathname + location.search;
      go(to, isHere || isInstead ? 'replace' : 'push');
    }
  };
  return (
    <a
      href={appAddressOf(to)}
      onClick={follow}
      aria-current={isCurrent ? 'page' : undefined}
      {...rest}
    >
      {children}
    </a>
  );
}
