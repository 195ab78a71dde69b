// What came back: an answer of the API, its failure, or something else.

import * as v from 'valibot';

import type { Route } from '../contract/api.ts';
import type { Reached } from '../contract/calls.ts';
import { Failure } from '../contract/failure.ts';
import { nextCursor } from './link.ts';
import type { Settings } from './options.ts';
import type { Came } from './request.ts';

/** Reads an answer. Fails with `Failure` when it is none. */
export function readAnswer({ check }: Settings, route: Route, { response, text }: Came): Reached {
  const { status, headers } = response;
  if (status !== 200) throw failureOf(status, text);
  const output = readOutput(status, text, check && route);
  const next = nextCursor(headers.get('link') ?? '');
  if (next === null) throw foreign(status);
  return { output, next };
}

/** Reads a body as a route's contract has it, where one is given: no field less and none more. */
export function readOutput(status: number, text: string, route: Route | false): unknown {
  const output = parse(status, text);
  if (route === false) return output;
  const checked = v.safeParse(route.output, output, { abortEarly: true });
  if (checked.success) return checked.output;
  // The path alone: what stands there is someone's conversation.
  const where = v.getDotPath(checked.issues[0]) ?? 'its root';
  const detail = `The answer breaks the contract at ${where}; use the same version of both.`;
  throw new Failure(status, detail, { reason: 'mismatch' });
}

function parse(status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw foreign(status);
  }
}

function failureOf(status: number, text: string): Failure {
  const body = (status < 400 ? undefined : parse(status, text)) as { detail?: unknown } | undefined;
  const detail = body?.detail;
  return typeof detail === 'string' && detail !== ''
    ? new Failure(status, detail)
    : foreign(status);
}

/** The failure of an answer that is not the API's: of a proxy, or of another server. */
function foreign(status: number): Failure {
  const detail = `Something other than the gateway answered ${status}; check baseUrl.`;
  return new Failure(status, detail, { reason: 'mismatch' });
}
