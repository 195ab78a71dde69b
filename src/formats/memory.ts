// Our own: memories of the contract, as the API gives them and `export` writes them.

import * as v from 'valibot';

import type { ItemFormat } from './format.ts';
import { anyId, maybe, maybeList, maybeSeconds, maybeText, maybeTime } from './shapes.ts';

const Ours = v.looseObject({
  id: anyId,
  name: maybeText,
  started_at: maybeTime,
  ended_at: maybeTime,
  is_processing: maybe(v.boolean()),
  user_id: v.optional(v.string()),
  duration_seconds: maybeSeconds,
  summary: maybe(v.object({ quick_summary: maybeText, key_takeaways: maybeList(v.string()) })),
  transcript: v.string(),
});

/** The memory of the contract. Those written by hand may leave out what can be derived. */
export const memory: ItemFormat = {
  name: 'memory',
  product: 'Memory Gateway memories',
  inside: ['memories'],
  fits: (item) => 'started_at' in item && typeof item['transcript'] === 'string',
  item: v.pipe(
    Ours,
    v.transform(({ user_id, summary, ...ours }) => ({
      ...ours,
      account_id: user_id,
      quick_summary: summary?.quick_summary,
      key_takeaways: summary?.key_takeaways,
      further: ours,
    })),
  ),
};
