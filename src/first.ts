// The first import of the package: throws one clear sentence on a Node that is too old.

import { tooOld } from './node-version.ts';

if (tooOld !== undefined) throw new Error(tooOld);
