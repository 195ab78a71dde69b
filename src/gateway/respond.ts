// Respond: exchange → reply, the way of every HTTP request, and the place where every error ends.

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import { Failure } from '../contract/failure.ts';
import { Refusal } from '../store/refusal.ts';
import type { Exchange } from './exchange.ts';
import { replyTo, replyToFailure, replyToPreflight, type Found, type Reply } from './reply.ts';
import type { Report } from './report.ts';

/** Longer request targets are refused unless more are allowed; RFC 9112 §3 asks for 8,000 octets at least. */
const MAX_TARGET = 8192;

/** Reads how long a target may be. Fails with `Refusal` when it is no such number. */
export function readMaxTarget(maxTarget = MAX_TARGET): number {
  if (Number.isSafeInteger(maxTarget) && maxTarget > 0) return maxTarget;
  throw new Refusal('maxTarget takes a whole number of characters above 0.');
}

/** Makes the reply to a request; `readTarget` judges its framing first. Never throws, never rejects. */
export type Respond = (exchange: Exchange, readTarget: () => string) => Awaitable<Reply>;

/** Joins an answering function to what HTTP says of its answers and failures. */
export function createRespond(
  answer: (exchange: Exchange) => Awaitable<Found | Failure>,
  report: Report,
  maxTarget = MAX_TARGET,
): Respond {
  const tooLong = new Failure(414, `Keep the request target within ${maxTarget} characters.`);
  return (exchange, readTarget) => {
    const fail = (error: unknown) => replyToFailure(exchange, report(error, exchange));
    try {
      exchange.target = readTarget();
      if (exchange.target.length > maxTarget) throw tooLong;
      const preflight = replyToPreflight(exchange);
      if (preflight) return preflight;
      const reply = andThen(answer(exchange), (found) =>
        found instanceof Failure ? fail(found) : replyTo(exchange, found),
      );
      return reply instanceof Promise ? reply.catch(fail) : reply;
    } catch (error) {
      return fail(error);
    }
  };
}
