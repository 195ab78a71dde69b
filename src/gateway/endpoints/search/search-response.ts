// The response of a search: as many passages as fit, and hints.

import { toJson } from '../../../contract/json.ts';
import type { Memory } from '../../../contract/schemas/memory.ts';
import { BYTES_PER_TOKEN } from '../../../contract/schemas/parameters.ts';
import type { Passage, SearchResult } from '../../../contract/schemas/passages.ts';
import { cutExcerpt, excerptOf, type Excerpt } from '../../../text/ranking/excerpt.ts';
import type { RankedPassage } from '../../../text/ranking/rank.ts';
import type { PassagePosition } from '../cursor.ts';

/** A passage with what the response says about it, and its place in the order of results. */
export interface ShownPassage extends PassagePosition {
  readonly excerpt: Excerpt;
  readonly memory: Pick<Memory, 'id' | 'name' | 'started_at' | 'is_processing'>;
}

/** Creates what is shown of a ranked passage. It refers to nothing of the memory's texts, which can be long. */
export function toShown(passage: RankedPassage, skip: number, memory: Memory): ShownPassage {
  const { candidate, from, score } = passage;
  const { id, name, started_at, is_processing } = memory;
  const excerpt = excerptOf(passage);
  return {
    skip,
    score,
    started_at: candidate.started_at,
    id: candidate.id,
    from,
    // A slice of a string would keep the whole string in memory.
    excerpt: { ...excerpt, text: JSON.parse(JSON.stringify(excerpt.text)) as string },
    memory: { id, name, started_at, is_processing },
  };
}

/** How much a response may have. */
interface Room {
  readonly limit: number;
  readonly max_tokens: number | undefined;
}

/** Fills a result with as many passages as fit. The first one is cut if it does not fit alone. */
export function fill(
  empty: SearchResult,
  passages: readonly ShownPassage[],
  { limit, max_tokens }: Room,
): { result: SearchResult; taken: number } {
  const budget = max_tokens === undefined ? Infinity : max_tokens * BYTES_PER_TOKEN;
  const base = max_tokens === undefined ? empty : withoutLongHints(empty, budget);
  const shown: Passage[] = [];
  let size = toJson(base).length;
  for (const passage of passages.slice(0, limit)) {
    const whole = toPassage(passage, passage.excerpt);
    const bytes = toJson(whole).length + Number(shown.length > 0);
    if (size + bytes <= budget) {
      shown.push(whole);
      size += bytes;
      continue;
    }
    if (shown.length === 0) shown.push(cutToFit(passage, budget - size));
    break;
  }
  return { result: { ...base, passages: shown }, taken: shown.length };
}

/** Leaves out hints that would take more than a quarter of the budget. */
function withoutLongHints(result: SearchResult, budget: number): SearchResult {
  const { absent_words, nearest_words } = result;
  if (toJson({ absent_words, nearest_words }).length <= budget / 4) return result;
  let kept = absent_words;
  while (kept.length > 0 && toJson(kept).length > budget / 4) kept = kept.slice(0, -1);
  return { ...result, absent_words: kept, nearest_words: {} };
}

function cutToFit(passage: ShownPassage, bytes: number): Passage {
  const { excerpt } = passage;
  for (let { length } = excerpt.text; ; length = Math.floor(length / 2)) {
    const cut = toPassage(passage, cutExcerpt(excerpt, length));
    if (toJson(cut).length <= bytes || length < 2) return cut;
  }
}

function toPassage({ memory }: ShownPassage, { source, lines, text, marks }: Excerpt): Passage {
  return {
    memory_id: memory.id,
    name: memory.name,
    started_at: memory.started_at,
    is_processing: memory.is_processing,
    source,
    lines: [...lines],
    text,
    marks: marks.map((mark) => [...mark]),
  };
}
