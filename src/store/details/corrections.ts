// Corrections: what people have put right, and how it changes a memory and its details.

import type { Details, ReadDetails } from '../../contract/schemas/details.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { renameSpeakers } from '../../text/speaker.ts';
import type { DetailTables } from '../sql/tables/detail-tables.ts';
import { addKnown, facetKey } from './facets.ts';

/** Something that was put right: of one memory, or in all memories of an account. */
export type Correction = DetailTables['corrections'];

/** A memory and its details. */
export interface MemoryWithDetails {
  readonly memory: Memory;
  readonly read: ReadDetails;
}

/** What corrections make of a memory. */
export interface Corrected extends MemoryWithDetails {
  /** What they have changed, as details list it. */
  readonly applied: Details['corrections'];
  /** The corrections without effect, because there is no such speaker, or the value is the same. */
  readonly idle: readonly Correction[];
}

/**
 * Applies corrections to a memory as it was imported. Later ones see the names that earlier ones have given.
 * Those that were made at the same time do not see each other, so two speakers can exchange their names.
 */
export function applyCorrections(
  { memory, read }: MemoryWithDetails,
  corrections: readonly Correction[],
): Corrected {
  const renames = createRenames(corrections.filter(({ field }) => field === 'speaker'));
  const transcript = renameSpeakers(memory.transcript, renames.nameOf);
  const people = joinPeople(read.people, renames.nameOf);
  const action_items = read.action_items.map((item) => ({
    ...item,
    owner: item.owner === null ? null : renames.nameOf(item.owner),
  }));
  const { name = memory.name } = lastOf(corrections, 'name');
  const { started_at = memory.started_at } = lastOf(corrections, 'started_at');
  const corrected = { ...memory, name, transcript, ...timesFrom(started_at, memory) };

  const applied: { field: string; from: string | null; to: string }[] = [];
  const idle: Correction[] = [];
  for (const each of corrections) {
    const { field, old, new: to } = each;
    const from = field === 'speaker' ? old : memory[field];
    const isApplied = field === 'speaker' ? renames.used.has(each) : from !== corrected[field];
    if (isApplied) applied.push({ field, from, to });
    else idle.push(each);
  }
  return { memory: corrected, read: { ...read, people, action_items }, applied, idle };
}

/** Returns the last value of a field that takes one value. */
function lastOf(
  corrections: readonly Correction[],
  field: 'name' | 'started_at',
): Partial<Record<typeof field, string>> {
  const found = corrections.findLast((each) => each.field === field);
  return found === undefined ? {} : { [field]: found.new };
}

/** The last end that a memory can have: years have four digits. */
const LAST_END = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Moves a memory to another start. It stays as long as it was, but ends with the year 9999. */
export function timesFrom(
  started_at: string,
  memory: Memory,
): Pick<Memory, 'started_at' | 'ended_at'> {
  const length = Date.parse(memory.ended_at) - Date.parse(memory.started_at);
  const end = Math.min(Date.parse(started_at) + length, LAST_END);
  return { started_at, ended_at: new Date(end).toISOString() };
}

function createRenames(corrections: readonly Correction[]) {
  const steps = corrections.map((each) => ({ each, from: facetKey(each.old ?? '') }));
  const used = new Set<Correction>();
  const known = new Map<string, string>();

  function find(name: string): string {
    let now = name;
    let at: number | undefined;
    for (const { each, from } of steps) {
      if (each.made_at === at || from !== facetKey(now) || each.new === now) continue;
      used.add(each);
      now = each.new;
      at = each.made_at;
    }
    return now;
  }

  return {
    /** The corrections that have given a name. */
    used,
    /** Returns the new name of a speaker, or the same. */
    nameOf: (name: string): string => {
      if (steps.length === 0) return name;
      const found = known.get(name) ?? find(name);
      known.set(name, found);
      return found;
    },
  };
}

type Person = ReadDetails['people'][number];

const ROLES = ['speaker', 'organiser', 'attendee'] as const satisfies readonly Person['role'][];

/** Renames people, and joins those who then have one name. */
function joinPeople(people: readonly Person[], nameOf: (name: string) => string): Person[] {
  const joined = new Map<string, Person>();
  for (const person of people) {
    const name = nameOf(person.name);
    const before = joined.get(name);
    joined.set(name, before ? joinPerson(before, person) : { ...person, name });
  }
  return [...joined.values()];
}

function joinPerson(one: Person, other: Person): Person {
  const email = one.email ?? other.email;
  return {
    ...one,
    role: ROLES.find((role) => role === one.role || role === other.role) ?? one.role,
    ...(email !== undefined && { email }),
    lines: one.lines + other.lines,
    words: one.words + other.words,
    speaking_ms: addKnown(one.speaking_ms, other.speaking_ms),
  };
}
