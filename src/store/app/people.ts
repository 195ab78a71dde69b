// People, as the app asks besides the reads of /v1: with whom somebody takes part in memories, and who speaks how much in them.

import { HUES } from '../../text/hues.ts';
import { isSpeakerLabel } from '../../text/speaker.ts';
import { facetName } from '../details/facets.ts';
import type { FacetName } from '../scope.ts';
import { ofSameMemory } from '../sql/joins.ts';
import { build, query, type Slot } from '../sql/query.ts';
import type { AppAccess } from './access.ts';
import type { PeopleStore, Speaker } from './owner-stores.ts';

/** In how many of somebody's latest memories others are counted, so that it takes milliseconds in any account. */
const LATEST = 1000;
/** How many are returned, and how many are read, because some are labels. */
const [MOST, MOST_READ] = [12, 100];

const companions = query((slot: Slot<{ account_id: string } & FacetName>) =>
  build
    .selectFrom(
      build
        .selectFrom('facets')
        .select(['account_id', 'memory_id'])
        .where('account_id', '=', slot('account_id'))
        .where('kind', '=', slot('kind'))
        .where('folded', '=', slot('folded'))
        .orderBy('started_at', 'desc')
        .limit((eb) => eb.lit(LATEST))
        .as('own'),
    )
    .innerJoin('facets as other', ofSameMemory('other', 'own'))
    .select((eb) => [eb.fn.max('other.name').as('name'), eb.fn.countAll<number>().as('memories')])
    .where('other.kind', '=', slot('kind'))
    .where('other.folded', '<>', slot('folded'))
    .groupBy('other.folded')
    .orderBy('memories', 'desc')
    .orderBy('other.folded')
    .limit((eb) => eb.lit(MOST_READ)),
);

const speakersOf = query((slot: Slot<{ account_id: string; memory_id: string }>) =>
  build
    .selectFrom('facets')
    .select(['memory_id', 'name', 'words'])
    .where('account_id', '=', slot('account_id'))
    .where('memory_id', '=', slot('memory_id'))
    .where('kind', '=', 'person')
    .where('words', '>', 0)
    .orderBy('words', 'desc')
    .orderBy('folded'),
);

/** Creates the reads of people. */
export function peopleStore({ read }: AppAccess): PeopleStore {
  return {
    companions: ({ account_id, name }) =>
      read({ account_id }, async ({ prepare }) => {
        const found = await prepare(companions).all({ account_id, ...facetName('person', name) });
        return found.filter((each) => !isSpeakerLabel(each.name)).slice(0, MOST);
      }),
    speakers: ({ account_id, ids }) =>
      read({ account_id }, async ({ prepare }) => {
        const found: Speaker[] = [];
        for (const memory_id of new Set(ids)) {
          const all: Speaker[] = await prepare(speakersOf).all({ account_id, memory_id });
          const words = all.slice(HUES).reduce((sum, each) => sum + each.words, 0);
          found.push(...all.slice(0, HUES));
          if (words > 0) found.push({ memory_id, name: null, words });
        }
        return found;
      }),
  };
}
