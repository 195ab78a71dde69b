// Words from the texts of the newest memories, where the words of the index may not be read, or are of others as well.

import { fromJson } from '../../contract/json.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { Refusal } from '../refusal.ts';
import type { ListBatch, ListRange } from '../store.ts';
import { indexTerms, searchedTexts } from './index-terms.ts';
import type { Vocabulary, VocabularyRange } from './postings.ts';

/** How many bytes of text one read takes, and how many characters of one text. */
export const TEXT_BYTES = 65_536;

/** Returns which memories a read of words takes. Undefined: none, because words with any beginning are read at first. */
export function textsOf({ prefix, before, ...range }: VocabularyRange): ListRange | undefined {
  if (prefix !== '') return undefined;
  return { ...range, order: 'desc', projection: 'body', after: before };
}

/** Returns the words of memories. If none were read, there are none, in whatever state was wanted. */
export function toVocabulary(
  { revision: wanted }: VocabularyRange,
  batch: ListBatch | undefined,
): Vocabulary {
  const { items, rest, revision } = batch ?? { items: [], rest: undefined, revision: wanted };
  const words = new Set(items.flatMap(({ bytes }) => wordsOf(fromJson(bytes) as Memory)));
  return { words: [...words], postings: words.size, rest, revision };
}

/** Ends the words at a damaged memory: those to suggest are not worth a search that fails. Whoever finds it is told. */
export function withoutDamage(error: unknown): undefined {
  if (error instanceof Refusal && error.code === 'damaged') return;
  throw error;
}

function wordsOf(memory: Memory): string[] {
  const starts = searchedTexts(memory).map((text) => text.slice(0, TEXT_BYTES));
  return indexTerms('', starts).toString('utf8').split(' ').filter(Boolean);
}
