// The clock that ends keys: it never goes back, and believes a jump of the system's clock only once it has lasted.

import { uptime } from 'node:os';

import type { Log } from './log.ts';

/** The clocks of the system, in milliseconds. */
export interface SystemClocks {
  /** The time since 1970, which people and programs can set. */
  readonly Date: { readonly now: () => number };
  /** A time that nobody can set. It stands still while a machine is suspended. */
  readonly performance: { readonly now: () => number };
}

/** Returns the seconds since the machine has booted, suspended ones included. */
type Uptime = () => number;

/** How far the system's clock may differ from the time that has passed: more than any correction by NTP in small steps. */
const TOLERANCE_MS = 60_000;

/** How long a jump forward has to last until it is believed. */
const LASTS_MS = 600_000;

const AHEAD =
  'The system clock has jumped forward. Keys and sessions end by the time before the jump, until it has lasted for 10 minutes.';
const BEHIND =
  'The system clock has been set back. Keys and sessions end by the time that has passed, until you restart the gateway.';
const BELIEVED =
  'The system clock has stayed where it jumped to. Keys and sessions end by it from now on.';
const RETURNED =
  'The system clock is back at the time that has passed. Keys and sessions end by it again.';

/** How far the system's clock is from the time that has passed, and since when. */
interface Jump {
  readonly byMs: number;
  readonly since: number;
}

/**
 * Creates the clock of a gateway. It returns whole milliseconds since 1970, which never decrease, so that an
 * expired key stays expired. They are whole although the monotonic clock has fractions, because databases
 * take no others. A clock that is wrong for a moment ends no key: a jump is measured against the
 * monotonic clock, and the time that the machine was suspended is no jump.
 */
export function createClock(
  log: Log,
  clocks: SystemClocks = globalThis,
  upSeconds: Uptime = uptime,
): () => number {
  let latest = clocks.Date.now();
  // A pair of times that belong together, from which the present time is expected.
  let [knownWall, knownMonotonic] = [latest, clocks.performance.now()];
  let knownSuspended = suspended(knownMonotonic);
  let jump: Jump | undefined;

  return () => {
    const time = clocks.Date.now();
    const passed = clocks.performance.now();
    let expected = knownWall + (passed - knownMonotonic);
    if (time - expected > TOLERANCE_MS) expected += newlySuspended(passed);
    const byMs = time - expected;
    if (Math.abs(byMs) > TOLERANCE_MS && !isBelieved(byMs, passed))
      return (latest = Math.max(latest, Math.floor(expected)));
    if (jump !== undefined) end(byMs);
    knownWall = time;
    knownMonotonic = passed;
    return (latest = Math.max(latest, time));
  };

  /** Returns how long the machine was suspended since it has booted, but for a constant. */
  function suspended(passed: number): number {
    return upSeconds() * 1000 - passed;
  }

  /** Returns how long the machine has been suspended since the last call, and adds it to the known times. */
  function newlySuspended(passed: number): number {
    const now = suspended(passed);
    const ms = Math.max(0, now - knownSuspended);
    knownSuspended = now;
    knownWall += ms;
    return ms;
  }

  /** Notes a jump, and returns whether it has lasted. A clock that was set back is never believed. */
  function isBelieved(byMs: number, now: number): boolean {
    if (jump === undefined || Math.abs(byMs - jump.byMs) > TOLERANCE_MS) {
      jump = { byMs, since: now };
      warn(byMs, byMs > 0 ? AHEAD : BEHIND);
    }
    return byMs > 0 && now - jump.since >= LASTS_MS;
  }

  function end(byMs: number): void {
    jump = undefined;
    warn(byMs, Math.abs(byMs) > TOLERANCE_MS ? BELIEVED : RETURNED);
  }

  function warn(byMs: number, message: string): void {
    log.warn?.({ clock_ahead_seconds: Math.round(byMs / 1000) }, message);
  }
}
