// The focus: what finds an element again after Back, and the heading for a screen that is new.

/** Gives the focus to the heading of the screen. */
export function focusHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}

/** Gives the focus to what has a `href` or `id`. Returns whether it is there. */
export function focusOn(key = ''): boolean {
  const name = CSS.escape(key);
  const found = document.querySelector<HTMLElement>(`[href="${name}"], [id="${name}"]`);
  found?.focus({ preventScroll: true });
  return found !== null;
}

/** Returns what finds an element again. Several links may lead to the same place. */
export function focusKey(element: Element): string | undefined {
  return element.id || (element.getAttribute('href') ?? undefined);
}
