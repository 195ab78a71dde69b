// Allowance: how long serve waits and how much it takes, as its options say.

import type { Limits } from '../gateway/limits.ts';
import { Mistake, type Args } from './args.ts';
import type { LimitName } from './limits.ts';
import { readSpan } from './values.ts';

/** What callers are allowed: the limits of the server, and the longest target that the gateway reads. */
export interface Allowance {
  readonly limits: Limits;
  readonly maxTarget: number;
}

/** Reads the options that are limits. Fails with `Mistake`. */
export function readAllowance(args: Args): Allowance {
  const ms = (name: LimitName) => readTimeout(name, args.need(name));
  const count = (name: LimitName) => readCount(name, args.need(name));
  const limits = {
    headMs: ms('head-timeout'),
    requestMs: ms('request-timeout'),
    idleMs: ms('idle-timeout'),
    sendMs: ms('send-timeout'),
    headBytes: count('max-head'),
    connections: count('max-connections'),
    requests: count('max-requests'),
  };
  const maxTarget = count('max-target');
  if (limits.requestMs < limits.headMs)
    throw new Mistake(
      '--request-timeout takes no less than --head-timeout, which is a part of it.',
    );
  if (maxTarget >= limits.headBytes)
    throw new Mistake('--max-target takes less than --max-head, as the target is a part of it.');
  return { limits, maxTarget };
}

/** An hour: beyond it a limit is none. */
const LONGEST_MS = 3_600_000;

function readTimeout(name: LimitName, text: string): number {
  const ms = readSpan(name, text);
  if (ms > 0 && ms <= LONGEST_MS) return ms;
  throw new Mistake(`--${name} takes a span from 1s to 1h, not "${text}".`);
}

function readCount(name: LimitName, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Mistake(`--${name} takes a number from 1 to 9999999, not "${text}".`);
}
