// The newest memories with all words of a search, with their passages, as one response.

import type { Api } from '../../../contract/api.ts';
import type { ValidInput } from '../../../contract/handlers.ts';
import type { Passage } from '../../../contract/schemas/passages.ts';
import type { appRoutes } from '../../contract/app-routes.ts';

type Input = ValidInput<typeof appRoutes.searches.newest>;

/** How many memories a response has, and how many passages each. */
const TEN = 10;

const FIELDS = ['name', 'started_at', 'is_processing'] as const;

/** Finds them, newest first, with what a search says about its words. The cursor of the next ones has the other limits. */
export async function findNewest(
  { memories, search }: Pick<Api, 'memories' | 'search'>,
  { cursor, ...input }: Input,
) {
  const { q } = input;
  const [page, { items: about }] = await Promise.all([
    memories.page(
      cursor === undefined ? { ...input, fields: FIELDS, limit: TEN } : { cursor, limit: TEN },
    ),
    search.page({ ...input, limit: 1 }),
  ]);
  const passages: Passage[] = [];
  for (const { id: memory_id, ...memory } of page.items) {
    const { items } = await search.page({ q, memory_id, limit: TEN });
    const some = items.passages.filter(({ marks }) => marks.length > 0);
    // Without any, the name stands for the memory.
    const name: Passage = {
      ...memory,
      memory_id,
      source: 'name',
      lines: [],
      text: memory.name,
      marks: [],
    };
    passages.push(...(some.length > 0 ? some : [name]));
  }
  const with_any_word = about.memories_found;
  return { ...about, with_any_word, searched_instead: {}, passages, next: page.next };
}
