// What OAuth clients have read lately, as with keys. It is held in memory, so it begins with the gateway.

import { DAY_MS } from '../lib/time.ts';
import type { KeyRead, ReadPath } from '../store/app/app-store.ts';

/** How long a path is kept after its last read. */
const KEPT_MS = 30 * DAY_MS;

/** How many grants are known, and how many paths of each. Beyond that, the oldest are forgotten. */
const [MOST_GRANTS, MOST_PATHS] = [200, 200];

/** Creates the register. */
export function createGrantReads(now: () => number) {
  const grants = new Map<string, Map<string, ReadPath>>();
  return {
    /** Adds reads of grants, whose ids stand in place of the hashes of keys. */
    add(reads: readonly KeyRead[]): void {
      for (const { key_sha256: id, ...read } of reads) {
        const paths = grants.get(id) ?? new Map<string, ReadPath>();
        addLast(grants, id, paths, MOST_GRANTS);
        const count = read.count + (paths.get(read.path)?.count ?? 0);
        addLast(paths, read.path, { ...read, count }, MOST_PATHS);
      }
    },
    /** Lists what a grant has read, latest first. */
    of: (id: string): ReadPath[] =>
      [...(grants.get(id)?.values() ?? [])]
        .filter(({ last_at }) => last_at >= now() - KEPT_MS)
        .toSorted((a, b) => b.last_at - a.last_at),
  };
}

/** Sets an entry at the end of a map, and removes the first one if there are too many. */
function addLast<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [first] = map.keys();
  if (map.size > most && first !== undefined) map.delete(first);
}
