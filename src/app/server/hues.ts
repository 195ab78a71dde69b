// The colours of the people of an account: those of most memories have one each.

import { hueOwnersOf } from '../../text/hues.ts';
import { isSpeakerLabel } from '../../text/speaker.ts';
import type { AppContext } from './app-parts.ts';

/** How many people are read, because some are labels. */
const MOST_READ = 30;

/** Reads who has each of the colours. Nobody has, if people cannot be read: the app opens without them as well. */
export async function readHues({ gateway }: Pick<AppContext, 'gateway'>, account_id: string) {
  const { people } = gateway.as(account_id);
  const items = await people.page({ limit: MOST_READ }).then(
    (page) => page.items,
    () => [],
  );
  return hueOwnersOf(items.flatMap(({ name }) => (isSpeakerLabel(name) ? [] : name)));
}
