// Joins parts of memories across the files of one import, by the id that they share.

import { ITEM_BYTES } from './bytes.ts';
import type { JoinRule, Skipped } from './format.ts';
import { jsonOriginal } from './original.ts';
import { draftToOutcome, type ReadMemory, type ReadOptions, type WaitingParts } from './outcome.ts';

/** Where the texts of waiting parts are stored, usually in a temporary file. */
export interface PartStore {
  /** Stores a text, and returns a number for `get`. */
  put(text: string): Promise<number> | number;
  get(number: number): Promise<string> | string;
}

/** How many parts can wait, and how many characters they can have. Each takes 300 bytes of memory besides its text. */
export interface JoinLimits {
  readonly parts: number;
  readonly characters: number;
}

/** The limits of an import. */
const JOIN_LIMITS: JoinLimits = { parts: 250_000, characters: 4 * 1024 ** 3 };

/** What parts became: a memory, a reason to reject them, or a reason to skip them. `at` is where each was found. */
export type JoinOutcome<P> = { readonly at: readonly P[]; readonly format: string } & (
  | ReadMemory
  | { readonly reason: string }
  | Skipped
);

/** Parts of memories that wait for the end of an import. `P` is the place of an item. */
export interface Joiner<P> {
  /** Adds the parts of an item. Returns the reason why they cannot wait, if there is one. */
  add(item: WaitingParts, at: P): Promise<string | undefined>;
  /** Yields what the parts became, in the order of formats and ids. */
  join(reading: ReadOptions): AsyncGenerator<JoinOutcome<P>>;
}

interface Waiting<P> {
  readonly role: string;
  readonly at: P;
  readonly number: number;
  readonly length: number;
}

interface Group<P> {
  readonly rule: JoinRule;
  readonly id: string;
  readonly parts: Waiting<P>[];
}

const OTHER = 'another version of it in this import is longer';

const TOO_LARGE = `its parts are larger than ${ITEM_BYTES / 1024 / 1024} MiB together`;

/**
 * Creates a joiner. Only ids and places are held in memory. The result does not depend on the order in
 * which parts are added: of several versions of a part, the longest counts.
 */
export function createJoiner<P>(store: PartStore, limits = JOIN_LIMITS): Joiner<P> {
  const groups = new Map<string, Group<P>>();
  let waiting = 0;
  let characters = 0;

  async function add({ parts, rule }: WaitingParts, at: P): Promise<string | undefined> {
    for (const { id, role, value } of parts) {
      const text = JSON.stringify(value);
      if (waiting >= limits.parts || characters + text.length > limits.characters)
        return 'too many parts of memories wait for others; import fewer files at once';
      waiting++;
      characters += text.length;
      const key = `${rule.format}\n${id}`;
      const group = groups.get(key) ?? { rule, id, parts: [] };
      groups.set(key, group);
      group.parts.push({ role, at, number: await store.put(text), length: text.length });
    }
    return undefined;
  }

  async function* join(reading: ReadOptions): AsyncGenerator<JoinOutcome<P>> {
    for (const key of [...groups.keys()].toSorted()) {
      const { rule, id, parts } = groups.get(key) as Group<P>;
      groups.delete(key);
      const { format } = rule;
      const { chosen, others } = await choose(parts, store);
      for (const { at } of others) yield { at: [at], format, skipped: OTHER };
      const at = [...new Set(chosen.map((part) => part.at))];
      if (chosen.reduce((sum, { length }) => sum + length, 0) > ITEM_BYTES)
        yield { at, format, reason: TOO_LARGE };
      else {
        const values = chosen.map(({ role, text }) => [role, JSON.parse(text) as unknown]);
        const draft = rule.join(id, Object.fromEntries(values));
        const outcome = 'transcript' in draft ? draftToOutcome(draft, format, reading) : draft;
        const isKept = 'memory' in outcome && reading.createPacker !== undefined;
        const original = isKept
          ? jsonOriginal({ id, parts: Object.fromEntries(values) })
          : undefined;
        yield { at, format, ...outcome, ...(original && { original }) };
      }
    }
  }

  return { add, join };
}

interface Version<P> extends Waiting<P> {
  readonly text: string;
  /** Where the same text was found again. */
  readonly copies: Waiting<P>[];
}

/** Chooses the longest version of each part, and of equally long ones the first in the order of their characters. */
async function choose<P>(parts: readonly Waiting<P>[], store: PartStore) {
  const best = new Map<string, Version<P>>();
  const others: Waiting<P>[] = [];
  for (const part of parts) {
    const before = best.get(part.role);
    if (before && part.length < before.length) {
      others.push(part);
      continue;
    }
    const text = await store.get(part.number);
    if (before?.text === text) before.copies.push(part);
    else if (before && part.length === before.length && before.text < text) others.push(part);
    else {
      if (before) others.push(before, ...before.copies);
      best.set(part.role, { ...part, text, copies: [] });
    }
  }
  return { chosen: [...best.values()], others };
}
