// All cases for HTTP in exact bytes, by subject.

import { agents } from './agents.ts';
import type { WireCase } from './case.ts';
import { chunks } from './chunks.ts';
import { connections } from './connections.ts';
import { fields } from './fields.ts';
import { hosts } from './hosts.ts';
import { keys } from './keys.ts';
import { lengths } from './lengths.ts';
import { lines } from './lines.ts';
import { reads } from './reads.ts';
import { targets } from './targets.ts';

export const WIRE_GROUPS: Readonly<Record<string, readonly WireCase[]>> = {
  'A request line': lines,
  'A target': targets,
  'A Host': hosts,
  'A field line': fields,
  'A length': lengths,
  'A chunk': chunks,
  'A connection': connections,
  'A key': keys,
  'A read': reads,
  'A message of an agent': agents,
};

/** Every case. */
export const WIRE_CASES: readonly WireCase[] = Object.values(WIRE_GROUPS).flat();
