// Holds a part of the page where it is on the screen, while what is above it is laid out, until the reader scrolls.

/** Finds the held part of the page anew each time, because blocks are replaced when a memory changes. */
export type FindHeld = () => Element | Range | null | undefined;

/** Creates a hold. It holds nothing yet. */
export function createHold() {
  const { style } = document.documentElement;
  let held: { readonly find: FindHeld; readonly top: number | undefined } | undefined;
  /** Where the window was scrolled to. If it is elsewhere, the reader has scrolled. */
  let y = 0;

  /** What is held, and how many pixels it is below its place. */
  function read() {
    const found = held?.find();
    if (!held || !found) return undefined;
    const { top, height } = found.getBoundingClientRect();
    return { found, below: top - (held.top ?? middleFor(height)) };
  }
  function settle(): void {
    const now = read();
    if (now === undefined) return;
    scrollBy(0, now.below);
    y = scrollY;
  }
  function release(): void {
    if (held === undefined || Math.abs(scrollY - y) <= 1) return;
    held = undefined;
    style.overflowAnchor = '';
  }

  // Before the paint of the frame in which anything has got another height.
  const observer = new ResizeObserver(settle);
  observer.observe(document.body);
  addEventListener('scroll', release);

  return {
    /** Holds something so many pixels below the upper edge of the window. Default: in the middle. */
    on(find: FindHeld, top?: number): void {
      held = { find, top };
      // The browser would add the growth of blocks above a second time.
      style.overflowAnchor = 'none';
      settle();
    },
    read,
    close(): void {
      observer.disconnect();
      removeEventListener('scroll', release);
      style.overflowAnchor = '';
    },
  };
}

/** Where something begins that is in the middle of the window. What is higher begins at a third. */
function middleFor(height: number): number {
  return Math.max((innerHeight - height) / 2, innerHeight / 3);
}
