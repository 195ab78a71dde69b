// The selection of memories in the list, and the bar that deletes them.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import { countedMemories } from '../../format.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { canChange, useDeleting } from '../../parts/deleting.tsx';
import { PassingButton } from '../../parts/notice.tsx';
import { titleOf } from '../../parts/title.ts';
import { current, list } from '../../state/list/list.ts';
import type { Row } from '../../state/list/row.ts';

/** The ids of the selected memories. Undefined: nobody is selecting. */
const selected = signal<ReadonlySet<string>>();

/** The row that was ticked last. */
let last: number | undefined;

/** Ticks a row or not, or ticks all from another one to it. */
function toggle(row: number, from = row): void {
  const ids = new Set(selected.value);
  for (let at = Math.min(row, from); at <= Math.max(row, from); at++) {
    const id = list.value.opened?.source.rowAt(at)?.id;
    if (id && (from !== row || !ids.delete(id))) ids.add(id);
  }
  last = row;
  selected.value = ids;
}

const end = () => {
  selected.value = last = undefined;
};

/** The button that begins a selection beside what else there is, or the bar about it in their place. */
export function SelectionBar({ children }: { readonly children: ComponentChildren }) {
  const ids = selected.value;
  const deleting = useDeleting(end);
  const remove = () => {
    if (ids?.size) deleting.start([...ids]);
  };
  useEffect(() => end, []);
  useShortcuts(
    canChange()
      ? [
          { keys: ['x'], text: 'Select the memory', run: () => toggle(current.value ?? -1) },
          ...(ids
            ? [
                { keys: ['Delete'], text: 'Delete the selection', run: remove },
                { keys: ['Escape'], text: 'End the selection', run: end },
              ]
            : []),
        ]
      : [],
  );
  if (!canChange()) return children;
  if (!ids)
    return (
      <>
        {children}
        <button
          type="button"
          class="plain"
          onClick={() => {
            selected.value = new Set();
          }}
        >
          Select
        </button>
      </>
    );
  return (
    <p class="actions">
      <span role="status">{countedMemories(ids.size)} selected</span>
      <button type="button" disabled={!ids.size || deleting.isBusy} onClick={remove}>
        Delete
      </button>
      <PassingButton onClick={end}>Cancel</PassingButton>
      {deleting.shown}
    </p>
  );
}

/** The box of a row, while somebody is selecting. A click anywhere on the row is one on the box. */
export function Pick({ row: { id, name }, at }: { readonly row: Row; readonly at: number }) {
  if (!selected.value) return null;
  return (
    <label class="pick">
      <input
        type="checkbox"
        aria-label={`Select ${titleOf(name)}`}
        checked={selected.value.has(id)}
        onClick={({ shiftKey }) => toggle(at, shiftKey ? last : at)}
      />
    </label>
  );
}
