// The last use of keys: gathered in memory, off the path of requests, and written at most once a minute.

import { setTimeout as sleep } from 'node:timers/promises';

import { andThen, type Awaitable } from '../../lib/async.ts';

/** How many keys are known. Beyond that, some are written at once again. */
const MAX_KNOWN = 10_000;
/** How long uses of known keys are gathered. */
const GATHER_MS = 60_000;

/** The register of the uses of keys. */
export interface KeyUse {
  /** Notes a use. Cheap: nothing is written here. */
  readonly note: (keySha256: string, at: number) => void;
  /** Writes what is gathered, and ends. */
  readonly close: () => Awaitable<void>;
}

/**
 * Creates a register. The first use of a key is written at once, because people wait for it when they have
 * created a key. A write that fails is dropped: the next use repeats it.
 */
export function createKeyUse(
  write: (uses: ReadonlyMap<string, number>) => Awaitable<void>,
  report: (error: unknown) => void,
): KeyUse {
  const known = new Set<string>();
  const end = new AbortController();
  let uses = new Map<string, number>();
  let [isSoon, isGathering] = [false, false];

  function flush(): Awaitable<void> {
    if (uses.size === 0) return undefined;
    const written = uses;
    uses = new Map();
    try {
      const done = write(written);
      return done instanceof Promise ? done.catch(report) : done;
    } catch (error) {
      report(error);
    }
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
    note(keySha256, at) {
      uses.set(keySha256, at);
      if (!known.has(keySha256)) {
        if (known.size >= MAX_KNOWN) known.clear();
        known.add(keySha256);
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
    close() {
      end.abort();
      return andThen(flush(), () => undefined);
    },
  };
}
