// Fair share of memory: limits what the unread responses of an account may hold, and how many are compressed at a time.

import { createQueues, type Enter } from '../../lib/queue.ts';
import { allowsIdentity } from '../request/encoding.ts';
import { valuesOf, type Headers } from '../request/headers.ts';
import { RateLimited } from '../request/throttle.ts';

/** The most bytes that the long responses of an account may hold at a time. */
const ACCOUNT_BYTES = 64 * 1024 * 1024;

/**
 * The bytes that a stream counts as, so that an account may have 64 of them. Measured with 1,000 readers that take
 * nothing, of whom 64 get a list: 30 to 135 MiB above idle, in every encoding.
 */
export const STREAM_BYTES = 1024 * 1024;

/**
 * The most streams that are compressed at a time: of all accounts, and of one. Further ones are sent
 * unencoded. One account with 8 made the 99th percentile of other accounts' times 4 times longer.
 */
const COMPRESSED = 64;
const ACCOUNT_COMPRESSED = 4;

/** Lists end within seconds if they are read, so a refused caller need not wait for long. */
const RETRY_AFTER_S = 2;

/** The 429 of an account with too many long responses. */
export const TOO_MANY_LONG = new RateLimited(
  RETRY_AFTER_S,
  'This account has too many long responses open; read or close them, or wait as many seconds as Retry-After says.',
);

/** A long response that is being sent. */
export interface LongResponse {
  /** Returns whether the response may be compressed as a stream. It then counts as compressed until its end. */
  readonly mayCompress: () => boolean;
  /** Ends it. Further calls have no effect. */
  readonly end: () => void;
}

/** The long responses of a gateway. */
export interface FairMemory {
  /**
   * Throws a 429 if the account cannot have another stream, or if the headers refuse one that is not
   * compressed and no compressor is free. It throws before anything is read: reading the first batch of
   * each of 1,000 refused lists kept other callers waiting for seconds.
   */
  readonly checkStream: (account_id: string, headers?: Headers) => void;
  /** Waits until no other stream of the account holds a large part. Returns the function that lets the next one go. */
  readonly holdLarge: Enter;
  /** Starts a response with this number of bytes. Throws a 429 if the account has too many, unless it has none. */
  readonly start: (account_id: string, bytes: number) => LongResponse;
}

/** What the long responses of an account hold. */
interface Share {
  bytes: number;
  compressed: number;
}

/** Creates the register of a gateway's long responses. Accounts without any take no memory. */
export function createFairMemory(): FairMemory {
  const shares = new Map<string, Share>();
  let compressed = 0;
  const hasCompressor = (share: Share) =>
    compressed < COMPRESSED && share.compressed < ACCOUNT_COMPRESSED;

  return {
    checkStream(account_id, headers) {
      const share = shares.get(account_id);
      check(share, STREAM_BYTES);
      if (share === undefined || headers === undefined || hasCompressor(share)) return;
      if (!allowsIdentity(valuesOf(headers, 'accept-encoding'))) throw TOO_MANY_LONG;
    },
    holdLarge: createQueues().enter,
    start(account_id, bytes) {
      const share = shares.get(account_id) ?? { bytes: 0, compressed: 0 };
      check(share, bytes);
      shares.set(account_id, share);
      share.bytes += bytes;
      let [isOpen, isCompressed] = [true, false];
      return {
        mayCompress() {
          if (!hasCompressor(share)) return false;
          isCompressed = true;
          compressed++;
          share.compressed++;
          return true;
        },
        end() {
          if (!isOpen) return;
          isOpen = false;
          if (isCompressed) {
            compressed--;
            share.compressed--;
          }
          share.bytes -= bytes;
          if (share.bytes === 0) shares.delete(account_id);
        },
      };
    },
  };
}

function check(share: Share | undefined, bytes: number): void {
  if (share !== undefined && share.bytes > 0 && share.bytes + bytes > ACCOUNT_BYTES)
    throw TOO_MANY_LONG;
}
