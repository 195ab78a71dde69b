// The rules of advice: each looks at what is known of a database, and has a sentence or nothing.

import { accessRules } from './access.ts';
import type { Rule } from './advice.ts';
import { contentRules } from './contents.ts';
import { storageRules } from './storage.ts';
import { upkeepRules } from './upkeep.ts';

/** All rules, in the order in which their sentences come. */
export const rules: readonly Rule[] = [
  ...accessRules,
  ...storageRules,
  ...upkeepRules,
  ...contentRules,
];
