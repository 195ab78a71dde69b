// The types of doctor's rules: their input, their severity and their sentences.

import type { DatabaseFileFacts } from '../../store/files/database-file.ts';
import type { DiskFacts } from './disk.ts';

/** All facts about a database. */
export type Inspection = DatabaseFileFacts & DiskFacts;

/** A fault must be fixed; a hint can wait. */
export type Severity = 'fault' | 'hint';

/** A rule: its code, its severity, and a function that returns its sentences, or nothing if there is no problem. */
export type Rule = readonly [
  code: string,
  level: Severity,
  check: (known: Inspection) => string | readonly string[] | false | null,
];
