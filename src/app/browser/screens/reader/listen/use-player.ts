// Loads what plays the recording of a memory, if there is one that can be heard.

import { useEffect, useState } from 'preact/hooks';

import { me } from '../../../state/session.ts';

type Player = (typeof import('./player.tsx'))['Player'];

/** Returns the player, once it is loaded. `before` is called before it is shown. */
export function usePlayer(
  audio: string | null | undefined,
  before: () => void,
): Player | undefined {
  const [player, setPlayer] = useState<{ readonly Player: Player }>();
  const isHeard = audio != null && (me.value?.can_listen === true || /^https?:/i.test(audio));
  useEffect(() => {
    let isCurrent = true;
    const show = (loaded: { readonly Player: Player }) => {
      if (!isCurrent) return;
      before();
      setPlayer(loaded);
    };
    // Without it the memory is still readable.
    if (isHeard) import('./player.tsx').then(show, () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [isHeard]);
  return isHeard ? player?.Player : undefined;
}
