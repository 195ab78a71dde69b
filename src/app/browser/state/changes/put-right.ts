// Puts memories right, and offers for a minute to undo it.

import { app } from '../session.ts';
import { changeOwn } from './change-list.ts';
import { offer } from './undo.ts';

type Edits = typeof app.edits;

/** What is said of an edit, and what shows it. */
interface Saying {
  readonly said: string;
  readonly onChange: (isUndone?: boolean) => void;
}

/** Makes an edit, unless it names a speaker as before. Rejects with `Failure`. */
export async function putRight(
  edit: Parameters<Edits['create']>[0],
  { said, onChange }: Saying,
): Promise<void> {
  if (edit?.speakers?.every(({ from, to }) => from === to)) return;
  offer(undefined);
  const made = await changeOwn(() => app.edits.create(edit));
  const undo = async () => {
    await changeOwn(async () => {
      for (const each of made) await takeBack(each);
    });
    onChange(true);
  };
  offer({ said, undo });
  onChange();
}

/** Takes an edit back. Rejects with `Failure`. */
export function undoEdit(id: string): Promise<unknown> {
  offer(undefined); // it may be this edit
  return changeOwn(() => app.edits.undo({ id }));
}

type Made = Awaited<ReturnType<Edits['create']>>[number];

/** Gives back what an edit has replaced: an earlier edit, or what was imported. */
function takeBack({ id, memory_id, field, from, replaced }: Made): Promise<unknown> {
  if (replaced === null) return app.edits.undo({ id });
  return app.edits.create({
    ...(memory_id !== null && { memory_id }),
    ...(field === 'speaker' && from !== null
      ? { speakers: [{ from, to: replaced }] }
      : { [field]: replaced }),
  });
}
