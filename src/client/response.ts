// Reads a response: the output, an error of the gateway, or something from another server.

import * as v from 'valibot';

import type { ClientRoute } from '../contract/client-routes.ts';
import type { CallResult } from '../contract/create-api.ts';
import { toParameterText } from '../contract/endpoints.ts';
import { Failure, mismatchFailure } from '../contract/failure.ts';
import type { ReceivedResponse } from './request.ts';

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

/** The schema of a body, or `false` if it is not validated. */
export type OutputCheck = v.GenericSchema | false;

/** Returns the schema of a response body. With `fields`, or a cursor that carries some, only `id` is required. */
export function outputSchema(
  { output, withFields }: ClientRoute,
  { fields, cursor }: Readonly<Record<string, unknown>>,
): v.GenericSchema {
  const isWhole = fields === undefined && cursor === undefined;
  return withFields === undefined || isWhole
    ? output
    : withFields(fields === undefined ? fields : toParameterText(fields).split(','));
}

/** Reads a response. Throws a `Failure` if it is an error, or not from a gateway. */
export function readResponse(check: OutputCheck, { response, text }: ReceivedResponse): CallResult {
  const { status, headers } = response;
  if (status !== 200) throw failureOf(status, text);
  const output = readOutput(status, text, check);
  const next = nextCursor(headers.get('link') ?? '');
  if (next === null) throw mismatchFailure(status);
  return { output, next };
}

/** Parses a body and validates it. Removes fields that the schema does not have. Throws a `Failure`. */
export function readOutput(status: number, text: string, check: OutputCheck): unknown {
  const output = parse(status, text);
  if (!check) return output;
  const checked = v.safeParse(check, output, { abortEarly: true });
  if (checked.success) return checked.output;
  // Only the path is shown: the value is somebody's conversation.
  const where = v.getDotPath(checked.issues[0]) ?? 'root';
  const advice = where.endsWith('transcript')
    ? 'Name the "fields" that the key may read'
    : 'Update client and gateway to the same version';
  const detail = `The response does not match the schema at ${where}. ${advice}.`;
  throw new Failure(status, detail, { reason: 'mismatch' });
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
