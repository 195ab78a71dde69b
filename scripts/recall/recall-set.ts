// A recall set: memories, questions about them, and the lines that hold the answers.

import * as v from 'valibot';

import { Memory } from '../../src/contract/schemas/memory.ts';
import type { NewMemory } from '../../src/store/import/memory-row.ts';

const Line = v.pipe(v.number(), v.integer(), v.minValue(1));

/** A question, and the lines with its answer: memory, first line, last line. */
const Question = v.object({
  q: v.pipe(v.string(), v.minLength(1)),
  category: v.optional(v.string()),
  gold: v.pipe(v.array(v.tuple([v.string(), Line, Line])), v.minLength(1)),
});

const RecallSet = v.object({
  memories: v.array(v.record(v.string(), v.unknown())),
  questions: v.array(Question),
});

/** A memory of a set: only its id, its start and its transcript must be there. */
const GivenMemory = v.object({
  id: v.string(),
  started_at: v.string(),
  transcript: v.string(),
  name: v.optional(v.string(), 'Untitled'),
  ended_at: v.optional(v.string()),
  duration_seconds: v.optional(v.number(), 0),
  is_processing: v.optional(v.boolean(), false),
  summary: v.optional(Memory.entries.summary, { quick_summary: '', key_takeaways: [] }),
});

/** A recall set with whole memories. */
export interface RecallSet {
  readonly memories: readonly NewMemory[];
  readonly questions: readonly v.InferOutput<typeof Question>[];
}

/** The lines with an answer. */
export type Gold = RecallSet['questions'][number]['gold'];

/** Returns each line with an answer, as `ID LINE`. */
export function goldLines(gold: Gold): ReadonlySet<string> {
  return new Set(
    gold.flatMap(([id, first, last]) =>
      Array.from({ length: last - first + 1 }, (_, i) => `${id} ${first + i}`),
    ),
  );
}

/** Reads a recall set. Throws `ValiError` if it is malformed. */
export function readRecallSet(json: string): RecallSet {
  const { memories, questions } = v.parse(RecallSet, JSON.parse(json));
  return {
    questions,
    memories: memories.map((memory) => {
      const { ended_at, ...given } = v.parse(GivenMemory, memory);
      return { ...given, user_id: '', ended_at: ended_at ?? given.started_at };
    }),
  };
}
