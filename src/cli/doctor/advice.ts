// Advice: what is not well with a database, as the rules find it.

import type { Facts } from '../../store/sqlite/facts.ts';
import { oneLine } from '../exit.ts';
import type { Disk } from './disk.ts';
import { rules } from './rules.ts';

/** All that is known of a database. */
export type Known = Facts & Disk;

/** A fault must be mended, a hint may wait. */
export type Level = 'fault' | 'hint';

/** One thing that is not well. */
export interface Advice {
  readonly code: string;
  readonly level: Level;
  /** One sentence that says what to do. */
  readonly detail: string;
}

/** A code, how bad it is, and what it says where it applies. */
export type Rule = readonly [
  code: string,
  level: Level,
  says: (known: Known) => string | readonly string[] | false | null,
];

/** Says what is not well, faults first; what keeps the database from being served is the first of all. */
export function advise(known: Known): Advice[] {
  const { trouble, refusal } = known;
  const refused: Rule = [trouble ?? '', 'fault', () => refusal];
  const all = [refused, ...rules].flatMap(([code, level, says]) =>
    [says(known) || []].flat().map((detail) => ({ code, level, detail: oneLine(detail) })),
  );
  return [
    ...all.filter(({ level }) => level === 'fault'),
    ...all.filter(({ level }) => level === 'hint'),
  ];
}
