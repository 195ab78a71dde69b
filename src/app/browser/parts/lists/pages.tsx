// A long list on a screen: its first page, a button for the next ones, and as many rows again when it is loaded again.

import { useRef } from 'preact/hooks';

import type { Page } from '../../../../contract/api.ts';
import type { Failure } from '../../../../contract/failure.ts';
import { useNews } from '../../state/changes/change-list.ts';
import { useResource } from '../../state/resource.ts';
import { useAction } from '../controls/action.ts';
import { Awaited } from '../notice.tsx';

/** A list as far as it has been read. */
export interface Pages<T> {
  readonly items: readonly T[] | undefined;
  readonly failure: Failure | undefined;
  readonly reload: () => void;
  /** Reads the next page. Undefined: there is none. */
  readonly readMore: (() => void) | undefined;
}

/** Where a page begins. The first one has no cursor. */
export type PageStart =
  | { readonly limit: number; readonly cursor?: undefined }
  | { readonly limit: number; readonly cursor: string };

const PAGE = 100;

/** The most items of one response. */
export const MOST_PAGE = 1000;

/** Loads a list, and loads it again when memories have changed. Another key is another list. `size` is that of a page. */
export function usePages<T>(
  key: string,
  read: (start: PageStart) => Promise<Page<readonly T[]>>,
  size = PAGE,
): Pages<T> {
  const latest = useRef<Page<readonly T[]>>(undefined);
  const count = () => latest.current?.items.length ?? 0;
  const load = () => read({ limit: Math.min(MOST_PAGE, Math.max(size, count())) });
  const { data, failure, reload, replace } = useResource<Page<readonly T[]>>(key, load, true);
  const { run, failure: moreFailure } = useAction();
  latest.current = data;
  const cursor = data?.next;
  /** The list that was to go on. Once it is loaded again, its end is another. */
  const ended = useRef(data);
  const readMore = async () => {
    ended.current = data;
    const { items, next } = await read({ cursor: cursor ?? '', limit: size });
    // The list may have been loaded again, and this page need not continue it.
    if (latest.current === data) replace({ items: [...(data?.items ?? []), ...items], next });
  };
  // A longer list than one response has stays as it is.
  useNews(() => {
    if (count() <= MOST_PAGE) reload();
  });
  return {
    items: data?.items,
    failure: failure ?? (ended.current === data ? moreFailure : undefined),
    reload,
    readMore: cursor === undefined ? undefined : () => void run(readMore),
  };
}

/** What follows a list: that it is loading, why it could not be loaded, or a button for more. */
export function PagesEnd({ pages }: { readonly pages: Pages<unknown> }) {
  const { items, failure, reload, readMore } = pages;
  return (
    <>
      <Awaited data={items} failure={failure} reload={reload} />
      {readMore !== undefined && <MoreButton onMore={readMore} />}
    </>
  );
}

/** A button at the end of a list. `onMore` shows more of it. */
export function MoreButton({ onMore }: { readonly onMore: () => void }) {
  return (
    <p class="actions">
      <button type="button" id="more" onClick={onMore}>
        More
      </button>
    </p>
  );
}
