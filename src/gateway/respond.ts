// Respond: exchange → reply, the way of every HTTP request, and the place where every error ends.

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Exchange } from './exchange.ts';
import { replyTo, replyToFailure, replyToPreflight, type Found, type Reply } from './reply.ts';
import type { Report } from './report.ts';

/** Makes the reply to a request; `readTarget` judges its framing first. Never throws, never rejects. */
export type Respond = (exchange: Exchange, readTarget: () => string) => Awaitable<Reply>;

/** Joins an answering function to what HTTP says of its answers and failures. */
export function createRespond(
  answer: (exchange: Exchange) => Awaitable<Found>,
  report: Report,
): Respond {
  return (exchange, readTarget) => {
    const fail = (error: unknown) => replyToFailure(exchange, report(error, exchange));
    try {
      exchange.target = readTarget();
      const preflight = replyToPreflight(exchange);
      if (preflight) return preflight;
      const reply = andThen(answer(exchange), (found) => replyTo(exchange, found));
      return reply instanceof Promise ? reply.catch(fail) : reply;
    } catch (error) {
      return fail(error);
    }
  };
}
