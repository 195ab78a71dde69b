// A menu: a button that opens a small panel below itself. The browser closes it at Escape and at a click elsewhere.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

import { rem } from '../../state/reading.ts';
import { place as address } from '../../state/router.ts';

/** What a menu needs. */
export interface MenuProps {
  /** The name of the button. */
  readonly label: string;
  /** What the button shows. Default: the name. */
  readonly sign?: ComponentChildren;
  /** A class of the button and of the panel. */
  readonly class?: string;
  readonly children: ComponentChildren;
}

const ITEMS = 'a, button:enabled, summary, input, select';

/** Where a key leads to in a menu, from an item on. */
const STEPS: Readonly<Record<string, (at: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => Math.max(at, 0) - 1,
  Home: () => 0,
  End: () => -1,
};

/** A button with a panel. */
export function Menu({ label, sign = label, class: own = '', children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const place = () => {
    if (!button.current || !panel.current) return;
    const { bottom, right, left } = button.current.getBoundingClientRect();
    const { offsetWidth: width, style } = panel.current;
    // The right edge of the menu stays below that of the button, also when the menu grows. If that would push it out of
    // the screen, their left edges are below each other. From the left, because a place for a scroll bar may be at the right.
    const end = right < width ? Math.min(left, rem()) + width : right;
    style.inset = `${bottom + 4}px auto auto ${end}px`;
  };
  const step = (event: KeyboardEvent) => {
    const to = STEPS[event.key];
    const isField = event.target instanceof Element && event.target.matches('input, select');
    if (to === undefined || isField || !panel.current?.matches(':popover-open')) return;
    event.preventDefault();
    const all = [...panel.current.querySelectorAll<HTMLElement>(ITEMS)];
    const items = all.filter((item) => item.checkVisibility());
    const at = items.findIndex((item) => item === document.activeElement);
    items.at(to(at) % items.length)?.focus();
  };
  useEffect(() => panel.current?.addEventListener('keydown', step), []);
  // A link in it has led elsewhere.
  useEffect(() => panel.current?.hidePopover(), [address.value]);
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`plain ${own}`}
        aria-label={label}
        popovertarget={id}
        // It is as wide as it will be when it is open, before it is painted.
        onClick={() => requestAnimationFrame(place)}
        onKeyDown={step}
      >
        {sign}
      </button>
      <div ref={panel} id={id} class={`menu ${own}`} popover="auto">
        {children}
      </div>
    </>
  );
}

/** What an action in a menu needs. */
export interface MenuActionProps {
  readonly isBusy?: boolean;
  readonly onRun: () => void;
  readonly children: ComponentChildren;
}

/** An action in a menu, which closes the menu. */
export function MenuAction({ isBusy, onRun, children }: MenuActionProps) {
  return (
    <button
      type="button"
      class="item"
      disabled={isBusy}
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onRun();
      }}
    >
      {children}
    </button>
  );
}
