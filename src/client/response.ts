// Reads a response: the output, an error of the gateway, or something from another server.

import type { CallResult } from '../contract/create-methods.ts';
import { Failure, mismatchFailure } from '../contract/failure.ts';
import type { ReceivedResponse } from './send.ts';

/** Returns the cursor in a `Link` header's `rel="next"`: `undefined` without such a link, `null` if it has no cursor. */
export function nextCursor(header: string): string | null | undefined {
  for (const link of header.split(/,\s*(?=<)/)) {
    // Only the first "rel" counts, and it may name several relations (RFC 8288 §3.3).
    const [, target = '', rel = ''] = /^<([^>]*)>.*?;\s*rel\s*=\s*"?([^";]*)/i.exec(link) ?? [];
    if (!/(^|\s)next(\s|$)/i.test(rel)) continue;
    // Only the cursor is used, never the URL: the key goes to baseUrl alone. Cursors need no unescaping.
    return /[?&](?:cursor|since)=([\w-]+)(?=[&#]|$)/.exec(target)?.[1] ?? null;
  }
  return undefined;
}

/** Validates the output of a call. Returns it without fields that its schema does not have. Throws a `Failure`. */
export type Validate = (output: unknown) => unknown;

/** Reads a response. Throws a `Failure` if it is an error, or not from a gateway. */
export function readResponse(
  { response: { status, headers }, text, file }: ReceivedResponse,
  validate?: Validate,
): CallResult {
  if (status !== 200) throw failureOf(status, text);
  const output = file ?? readOutput(text, validate);
  const next = nextCursor(headers.get('link') ?? '');
  if (next === null) throw mismatchFailure(status);
  return { output, next };
}

/** Parses the body of a 200 response and validates it. Throws a `Failure`. */
export function readOutput(text: string, validate?: Validate): unknown {
  const output = parse(200, text);
  return validate ? validate(output) : output;
}

function parse(status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw mismatchFailure(status);
  }
}

function failureOf(status: number, text: string): Failure {
  const body = (status < 400 ? undefined : parse(status, text)) as { detail?: unknown } | undefined;
  const detail = body?.detail;
  return typeof detail === 'string' && detail !== ''
    ? new Failure(status, detail)
    : mismatchFailure(status);
}
