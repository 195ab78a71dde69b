// An action of the reader: runs once at a time, and keeps its failure for the screen, or tells it in the notice.

import { useState } from 'preact/hooks';

import type { Failure } from '../../../../contract/failure.ts';
import { toFailure } from '../../state/session.ts';

/** The state of an action, and the function that runs it. */
export interface Action {
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  readonly run: (work: () => Promise<unknown>) => Promise<void>;
}

/**
 * Creates an action. While one runs, further ones are ignored, so that no key is created twice. `tell` gets its
 * failure if there is no room for one where it was pressed.
 */
export function useAction(tell?: (failure: Failure | undefined) => void): Action {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const note = tell ?? setFailure;
  const run = async (work: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    note(undefined);
    try {
      await work();
    } catch (error) {
      note(toFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, run };
}
