// Where the rows of the list are on the page: the list is as high as all its rows, and the window scrolls over it.

import { rowAt, SIZES, topOfRow, type Layout } from '../../state/list/layout.ts';
import { current, list } from '../../state/list/list.ts';
import type { Anchor } from '../../state/list/row.ts';
import { rem } from '../../state/reading.ts';

let box: HTMLElement | null = null;

/** Names the element that has the rows, or null if there is none any more. The strip beside it stays where the rows begin. */
export function setBox(element: HTMLElement | null): void {
  box = element;
  box?.parentElement?.style.setProperty('--from', `min(${topOfBox()}px, 40dvh)`);
}

function topOfBox(): number {
  return (box?.getBoundingClientRect().top ?? 0) + scrollY;
}

function topOf(layout: Layout, row: number): number {
  return topOfBox() + topOfRow(layout, row) * rem();
}

/** Returns the first row below the upper edge of the window, and the last one above the lower edge. */
export function visibleRows(layout: Layout): [number, number] {
  const above = (scrollY - topOfBox()) / rem();
  return [
    rowAt(layout, above + SIZES.row / 2),
    rowAt(layout, above + innerHeight / rem() - SIZES.row / 2),
  ];
}

type Visible = readonly [first: number, last: number];

/** Returns the row that has the focus, if it is visible. */
function chosenIn([first, last]: Visible): number | undefined {
  const row = current.peek() ?? -1;
  return row >= first && row <= last ? row : undefined;
}

/** Returns the row that stands for what is visible: the one with the focus, or the first one, and near the end of the page one further down, up to the last one. */
export function readRowOf(visible: Visible): number {
  const [first, last] = visible;
  const { scrollHeight, clientHeight } = document.documentElement;
  // One pixel more, so that a page that does not scroll is at its top.
  const most = scrollHeight - clientHeight + 1;
  const left = Math.min((most - scrollY) / Math.min(most, clientHeight), 1);
  return chosenIn(visible) ?? Math.round(last - (last - first) * left);
}

/** Scrolls so that a row is so many pixels below the upper edge of the window. */
export function scrollToRow(
  layout: Layout,
  row: number,
  below = (SIZES.gap + SIZES.edge / 2) * rem(),
): void {
  scrollTo(0, topOf(layout, row) - below);
}

/** Scrolls no further than a row needs to be visible. */
export function revealRow(layout: Layout, row: number): void {
  const below = topOf(layout, row) - scrollY;
  const least = SIZES.edge * rem();
  const most = innerHeight - (SIZES.row + SIZES.edge) * rem();
  if (below < least || below > most) scrollToRow(layout, row, below < least ? least : most);
}

/** Returns the row that is read: the one with the focus, if it is visible, otherwise the first one. */
export function anchorNow(): Anchor | undefined {
  const source = list.peek().opened?.source;
  if (box === null || source === undefined || scrollY === 0) return undefined;
  const { layout, rowAt: read } = source;
  const visible = visibleRows(layout);
  const row = chosenIn(visible) ?? visible[0];
  const memory = read(row);
  if (!memory) return undefined;
  const { id, started_at: at } = memory;
  return { id, at, row, below: topOf(layout, row) - scrollY };
}
