// The first import of the package: fails in one sentence on a Node that is too old.

import { tooOld } from './node.ts';

if (tooOld !== undefined) throw new Error(tooOld);
