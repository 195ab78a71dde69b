// What came back: an answer of the API, its failure, or something else.

import * as v from 'valibot';

import type { Answering } from '../contract/answers.ts';
import type { Reached } from '../contract/calls.ts';
import { toText } from '../contract/endpoints.ts';
import { Failure, foreign } from '../contract/failure.ts';
import { nextCursor } from './link.ts';
import type { Came } from './request.ts';

/** What a body has to be, or `false` where that is not checked. */
export type Expected = v.GenericSchema | false;

/** The schema of what comes back: cut, where fields were asked for or come along with a cursor. */
export function outputOf(
  { output, cut }: Answering,
  { fields, cursor }: Readonly<Record<string, unknown>>,
): v.GenericSchema {
  const isWhole = fields === undefined && cursor === undefined;
  return cut === undefined || isWhole
    ? output
    : cut(fields === undefined ? fields : toText(fields).split(','));
}

/** Reads an answer. Fails with `Failure` when it is none. */
export function readAnswer(expected: Expected, { response, text }: Came): Reached {
  const { status, headers } = response;
  if (status !== 200) throw failureOf(status, text);
  const output = readOutput(status, text, expected);
  const next = nextCursor(headers.get('link') ?? '');
  if (next === null) throw foreign(status);
  return { output, next };
}

/** Reads a body as a schema has it, where one is given: no field less and none more. */
export function readOutput(status: number, text: string, expected: Expected): unknown {
  const output = parse(status, text);
  if (!expected) return output;
  const checked = v.safeParse(expected, output, { abortEarly: true });
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
