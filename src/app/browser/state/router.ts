// The router: real addresses, and a Back that returns to the same row and the same focus.

import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { focusOf } from '../keyboard/keyboard.ts';
import { appAddressOf, APP_NAME, pathInApp } from './base.ts';
import { focusHeading, focusKey, focusOn } from './focus.ts';
import type { Anchor } from './list/row.ts';

/** The id of the search box. The reader only types there, and is somewhere else. */
export const SEARCH_BOX = 'search';

/** An address of the app. */
export interface AppAddress {
  /** The path below `/app/`, as the address has it. */
  readonly path: string;
  /** The query without `?`. */
  readonly query: string;
  /** The fragment without `#`. */
  readonly hash: string;
  /** The path and query of the screen that led here, if one did. Back shows it. */
  readonly from: string | undefined;
  /** What Back restores. Absent on a new place. */
  readonly kept: Kept | undefined;
}

/** What an entry of the history remembers. It never has texts or secrets. */
export interface Kept {
  readonly y: number;
  /** The `href` or `id` of what had the focus. */
  readonly focus: string | undefined;
  /** The row of a list that was read, which may be elsewhere by now. */
  readonly anchor?: Anchor | undefined;
  /** The line of a transcript that was read. */
  readonly line?: LineSpot | undefined;
}

/** A line of a transcript, and where it was in the window. */
export interface LineSpot {
  readonly first: number;
  readonly last: number;
  readonly hash: string;
  /** How far it was below the upper edge of the window, in pixels. */
  readonly top: number;
}

/** The address that is shown. */
export const place = signal<AppAddress>(read());

let { depth, from } = readWay();

/** Whether the screen of this entry has scrolled to its place. Before, there is nothing to remember. */
let isArrived = false;

/** What had the focus when this entry was opened. If something else has it later, the reader has put it there. */
let opener: Element | null = null;

function open(): void {
  isArrived = false;
  opener = document.activeElement;
  place.value = read();
}

/** Goes to a path below `/app/`, which may have a query and a fragment, with or without a new entry in the history. */
export function go(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') {
    keep();
    depth += 1;
    const { path: here, query } = place.value;
    from = query === '' ? here : `${here}?${query}`;
    history.pushState({ depth, from }, '', appAddressOf(path));
  } else history.replaceState({ depth, from }, '', appAddressOf(path));
  open();
}

/** Goes back to the screen before, or to the list if the tab began here. */
export function back(): void {
  if (depth > 0) history.back();
  else go('');
}

/** Changes the fragment of this place alone. Nothing moves, and Back does not return to the old one. */
export function setHash(hash: string): void {
  history.replaceState({ depth, from }, '', `${location.pathname}${location.search}#${hash}`);
  keep();
  place.value = read();
}

/** What is read on the screen. */
type Read = Pick<Kept, 'anchor' | 'line'>;

/** Finds what is read, if a screen says so. */
let readNow: () => Read = () => ({});

/** Names what finds what is read, until the returned function is called. */
export function holdRead(find: typeof readNow): () => void {
  readNow = find;
  return () => {
    if (readNow === find) readNow = () => ({});
  };
}

/** Returns the row that is read. */
export function readAnchor(): Anchor | undefined {
  return readNow().anchor;
}

/** What had the focus before the search box. */
let beforeSearch: string | undefined;

/** Starts to follow the history. */
export function startRouter(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => {
    ({ depth, from } = readWay());
    open();
  });
  // Only now the browser has gone to the fragment itself, as it understands it.
  addEventListener('hashchange', () => {
    if (!place.value.kept) open();
  });
  let timer: number | undefined;
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      keep();
    }, 200);
  };
  addEventListener('scroll', soon);
  addEventListener('focusin', ({ target, relatedTarget }) => {
    soon();
    if (!(target instanceof Element) || target.id !== SEARCH_BOX) return;
    // Now, because somebody may type before the entry of the history knows.
    beforeSearch = relatedTarget instanceof Element ? focusKey(relatedTarget) : keptFocus();
  });
  addEventListener('pagehide', keep);
}

/**
 * Scrolls and focuses when a screen has its content: to where it was for Back, otherwise to the top.
 * A screen with places of its own goes there by `toPlace`, which returns what gets the focus, or whether
 * there was a place. It happens once, because data that is loaded again must not move the reader. The focus
 * stays where the reader has put it meanwhile.
 */
export function useArrival(
  isReady: boolean,
  title?: string,
  toPlace?: () => HTMLElement | boolean,
): void {
  const here = place.value;
  const arrived = useRef<AppAddress | undefined>(undefined);
  useLayoutEffect(() => {
    document.title = title === undefined ? APP_NAME : `${title} – ${APP_NAME}`;
  }, [title]);
  useLayoutEffect(() => {
    if (!isReady || arrived.current === here) return;
    arrived.current = here;
    const { kept } = here;
    const found = toPlace?.() ?? false;
    // A list has scrolled to its row already.
    if (found === false && kept?.anchor === undefined) scrollTo(0, kept?.y ?? 0);
    const { activeElement: now, body } = document;
    // What somebody types in the search box or in a filter changes the address.
    const isTaken = now !== body && (now !== opener || (!kept && focusOf(now) === 'text'));
    // A row of a list gets the focus when it has been read.
    const isAwaited = kept?.anchor !== undefined && kept.focus !== undefined;
    if (!isTaken) {
      if (found instanceof HTMLElement) found.focus({ preventScroll: true });
      else if (!focusOn(kept?.focus) && !isAwaited && (!kept || now === body)) focusHeading();
    }
    isArrived = true;
  }, [isReady, here]);
}

function keep(): void {
  if (!isArrived) return;
  const found = focusKey(document.activeElement ?? document.body);
  const focus = found === SEARCH_BOX ? beforeSearch : found;
  const kept: Kept = { y: scrollY, focus, ...readNow() };
  history.replaceState({ ...kept, depth, from }, '');
}

function keptFocus(): string | undefined {
  return readKept(history.state)?.focus;
}

function read(): AppAddress {
  return {
    path: pathInApp(location.pathname),
    query: location.search.slice(1),
    hash: location.hash.slice(1),
    from: readWay().from,
    kept: readKept(history.state),
  };
}

/** Reads what an entry of the history remembers. Another script of this origin may have written it. */
function readKept(state: unknown): Kept | undefined {
  const { y, focus, anchor, line } = (state ?? {}) as Partial<Kept>;
  if (typeof y !== 'number') return undefined;
  const { id, at, row, below } = anchor ?? {};
  const isRow = areNumbers(row, below) && typeof id === 'string';
  const isLine = areNumbers(line?.first, line?.last, line?.top) && typeof line?.hash === 'string';
  return {
    y,
    focus: typeof focus === 'string' ? focus : undefined,
    anchor: isRow && !Number.isNaN(Date.parse(String(at))) ? anchor : undefined,
    line: isLine ? line : undefined,
  };
}

function areNumbers(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'number');
}

/** Reads how the reader came to an entry of the history: how many entries of the app are before it, and the last one. */
function readWay(): { depth: number; from: string | undefined } {
  const way = (history.state ?? {}) as { readonly depth?: unknown; readonly from?: unknown };
  return {
    depth: typeof way.depth === 'number' ? way.depth : 0,
    from: typeof way.from === 'string' ? way.from : undefined,
  };
}
