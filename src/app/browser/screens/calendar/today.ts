// Today in the time zone of the reader, and the key that leads there.

import { formats } from '../../parts/formats.ts';
import { useShortcuts } from '../../state/keyboard.ts';
import { go } from '../../state/router.ts';
import { COMMON } from '../../texts.ts';

/** Returns the date of today, such as `2026-11-18`. The key `t` opens its page. */
export function useToday(): string {
  const today = formats.value.dayOf(new Date().toISOString());
  useShortcuts([{ keys: ['t'], text: COMMON.today, run: () => go(`days/${today}`) }]);
  return today;
}
