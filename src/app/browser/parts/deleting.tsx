// Deletes memories: at once if they go to the bin, otherwise after a question.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { countedMemories } from '../format.ts';
import { deleteMemories } from '../state/changes/deletions.ts';
import { tellFailure } from '../state/changes/undo.ts';
import { may } from '../state/session.ts';
import { useAction } from './controls/action.ts';
import { Question } from './controls/dialog.tsx';

/** What a screen needs to delete. */
export interface Deleting {
  readonly isBusy: boolean;
  readonly start: (ids: readonly string[]) => void;
  /** The question, to be rendered. */
  readonly shown: ComponentChildren;
}

/** Whether the app can edit and delete. */
export function canChange(): boolean {
  return may('change');
}

/** Deletes memories. `onDone` is called when they are deleted. */
export function useDeleting(onDone: () => void): Deleting {
  const acting = useAction(tellFailure);
  const [asked, setAsked] = useState<readonly string[]>();
  const remove = async (ids: readonly string[]) => {
    await deleteMemories(ids);
    onDone();
  };
  const start = (ids: readonly string[]) => {
    if (!may('bin')) setAsked(ids);
    else void acting.run(() => remove(ids));
  };
  const shown = asked !== undefined && (
    <Question
      title={`Delete ${countedMemories(asked.length)} for good?`}
      action="Delete"
      isDangerous
      onAction={() => remove(asked)}
      onClose={() => setAsked(undefined)}
    >
      <p>This gateway has no bin, so there is no way back except a backup.</p>
    </Question>
  );
  return { isBusy: acting.isBusy, start, shown };
}
