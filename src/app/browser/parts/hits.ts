// The results of a search on the screen: moves the focus from one to the next.

/** The class of a link to a result. */
export const HIT = 'passage';

/** Moves the focus to the next result, or with -1 to the one before. The first one comes after anything else. */
export function focusHit(step: 1 | -1): HTMLElement | undefined {
  const hits = [...document.querySelectorAll<HTMLElement>(`.${HIT}`)];
  const at = hits.findIndex((hit) => hit === document.activeElement);
  const hit = hits[Math.max(0, at + step)];
  hit?.focus();
  return hit;
}
