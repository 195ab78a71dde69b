// A list of names that are too many for a line, with a field that finds some of them.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { Dialog, DoneButton } from './controls/dialog.tsx';
import { TextInput } from './controls/fields.tsx';
import { personOf } from './title.ts';

/** The most names that are listed together: a part of the name finds the others. */
const MOST = 500;

function pressFirst(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('dialog li > *')?.click();
}

interface NamesDialogProps<T> {
  readonly title: string;
  readonly names: readonly T[];
  /** Returns the item of a name, with a link or a button. */
  readonly children: (named: T) => ComponentChildren;
  readonly onClose: () => void;
}

/** The list. Enter in the field presses the first name. */
export function NamesDialog<T extends { readonly name: string }>(props: NamesDialogProps<T>) {
  const { title, names, children, onClose } = props;
  const [typed, setTyped] = useState('');
  const found = names.filter(({ name }) =>
    personOf(name).toLowerCase().includes(typed.trim().toLowerCase()),
  );
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={pressFirst}>
        <TextInput label="Find a name" value={typed} onValue={setTyped} />
      </form>
      <ul class="shares">{found.slice(0, MOST).map(children)}</ul>
      <DoneButton onDone={onClose} />
    </Dialog>
  );
}
