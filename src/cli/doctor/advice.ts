// Applies all rules to a database, and returns what to fix.

import { contentRules, sourceRules, upkeepRules } from './database-rules.ts';
import { accessRules, storageRules } from './file-rules.ts';
import type { Inspection, Rule, Severity } from './rule.ts';

/** One problem of a database. */
export interface Advice {
  readonly code: string;
  readonly level: Severity;
  /** One sentence that says what to do. */
  readonly detail: string;
}

/** All rules, in the order in which their sentences come. */
export const rules: readonly Rule[] = [
  ...accessRules,
  ...storageRules,
  ...upkeepRules,
  ...contentRules,
  ...sourceRules,
];

/** Returns the problems of a database, faults first. A problem that stops the server comes first. */
export function advise(known: Inspection): Advice[] {
  const { trouble, refusal } = known;
  const refused: Rule = [trouble ?? '', 'fault', () => refusal];
  const all = [refused, ...rules].flatMap(([code, level, check]) =>
    [check(known) || []].flat().map((detail) => ({ code, level, detail })),
  );
  return [
    ...all.filter(({ level }) => level === 'fault'),
    ...all.filter(({ level }) => level === 'hint'),
  ];
}
