// The last use of keys, and what they read: gathered in memory, off the path of requests, and written at most once a minute.

import { setTimeout as sleep } from 'node:timers/promises';

import { andThen, type Awaitable } from '../../lib/async.ts';
import type { CredentialRead } from '../../store/app/connect/connect-store.ts';

/** How many keys are known. Beyond that, some are written at once again. */
const MAX_KNOWN = 10_000;
/** How many paths of a key are gathered. The others of that minute are dropped. */
const MAX_PATHS = 100;
/** How much of a path is kept. */
const MAX_PATH = 200;
/** How long uses of known keys are gathered. */
const GATHER_MS = 60_000;

/** The register of the uses of keys. */
export interface KeyUse {
  /** Notes a use, and the path that is read, if paths are kept. Cheap: nothing is written here. */
  readonly note: (credential: string, at: number, path?: string) => void;
  /** Writes what is gathered now, so that who looks at it sees the latest. */
  readonly flush: () => Awaitable<void>;
  /** Writes what is gathered, and ends. */
  readonly close: () => Awaitable<void>;
}

/** How often a path was read, and when last. */
interface ReadCount {
  last_at: number;
  count: number;
}

/**
 * Creates a register. The first use of a key is written at once, because people wait for it when they have
 * created a key. A write that fails is dropped: the next use repeats it.
 */
export function createKeyUse(
  write: (uses: ReadonlyMap<string, number>, reads: readonly CredentialRead[]) => Awaitable<void>,
  report: (error: unknown) => void,
  keepsPaths = false,
): KeyUse {
  const known = new Set<string>();
  const end = new AbortController();
  let uses = new Map<string, number>();
  let reads = new Map<string, Map<string, ReadCount>>();
  let [isSoon, isGathering] = [false, false];

  function flush(): Awaitable<void> {
    if (uses.size === 0) return undefined;
    const written = uses;
    const writtenReads = [...reads].flatMap(([credential, ofKey]) =>
      Array.from(ofKey, ([path, counted]): CredentialRead => ({ credential, path, ...counted })),
    );
    [uses, reads] = [new Map(), new Map()];
    try {
      const done = write(written, writtenReads);
      return done instanceof Promise ? done.catch(report) : done;
    } catch (error) {
      report(error);
    }
  }

  function noteRead(credential: string, at: number, path: string): void {
    let ofKey = reads.get(credential);
    if (ofKey === undefined) reads.set(credential, (ofKey = new Map()));
    const counted = ofKey.get(path);
    if (counted !== undefined) {
      counted.last_at = at;
      counted.count++;
    } else if (ofKey.size < MAX_PATHS) ofKey.set(path, { last_at: at, count: 1 });
  }

  async function gather(): Promise<void> {
    try {
      await sleep(GATHER_MS, undefined, { ref: false, signal: end.signal });
    } catch {
      return; // closed
    }
    isGathering = false;
    await flush();
  }

  return {
    note(credential, at, path) {
      uses.set(credential, at);
      if (keepsPaths && path !== undefined) noteRead(credential, at, path.slice(0, MAX_PATH));
      if (!known.has(credential)) {
        if (known.size >= MAX_KNOWN) known.clear();
        known.add(credential);
        if (isSoon) return;
        isSoon = true;
        setImmediate(() => {
          isSoon = false;
          void flush();
        });
      } else if (!isGathering) {
        isGathering = true;
        void gather();
      }
    },
    flush,
    close() {
      end.abort();
      return andThen(flush(), () => undefined);
    },
  };
}
