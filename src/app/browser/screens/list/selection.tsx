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

function toggle(id: string): void {
  const ids = new Set(selected.value);
  if (!ids.delete(id)) ids.add(id);
  selected.value = ids;
}

function toggleCurrent(): void {
  const row = list.value.opened?.source.rowAt(current.value ?? -1);
  if (row) toggle(row.id);
}

const end = () => {
  selected.value = undefined;
};

/** The button that begins a selection beside what else there is, or the bar about it in their place. */
export function SelectionBar({ children }: { readonly children: ComponentChildren }) {
  const ids = selected.value;
  const deleting = useDeleting(end);
  const remove = () => {
    if (ids !== undefined && ids.size > 0) deleting.start([...ids]);
  };
  useEffect(() => end, []);
  useShortcuts(
    canChange()
      ? [
          { keys: ['x'], text: 'Select the memory', run: toggleCurrent },
          ...(ids === undefined
            ? []
            : [
                { keys: ['Delete'], text: 'Delete what is selected', run: remove },
                { keys: ['Escape'], text: 'End the selection', run: end },
              ]),
        ]
      : [],
  );
  if (!canChange()) return children;
  if (ids === undefined)
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
      <button type="button" disabled={ids.size === 0 || deleting.isBusy} onClick={remove}>
        Delete
      </button>
      <PassingButton onClick={end}>Cancel</PassingButton>
      {deleting.shown}
    </p>
  );
}

/** The box of a row, while somebody is selecting. A click anywhere on the row is one on the box. */
export function Pick({ row: { id, name } }: { readonly row: Row }) {
  if (selected.value === undefined) return null;
  return (
    <label class="pick">
      <input
        type="checkbox"
        aria-label={`Select ${titleOf(name)}`}
        checked={selected.value.has(id)}
        onChange={() => toggle(id)}
      />
    </label>
  );
}
