// Reads the body of a response as JSON, up to a limit of bytes.

import { concatBytes, ITEM_BYTES } from '../formats/bytes.ts';
import { parseJson } from '../formats/json/bare-numbers.ts';
import { SourceFailure } from './failure.ts';

/**
 * Reads and parses a body. `address` names the option with its address in errors. Throws `SourceFailure`: of kind `response` if it is too large, and of kind
 * `network` if it is not JSON, because proxies cut responses and send pages of their own. Rejects with
 * the connection's own errors.
 */
export async function readProductBody(
  response: Response,
  name: string,
  address: string,
): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > ITEM_BYTES)
      throw new SourceFailure(
        'response',
        `A response from ${name} is larger than ${ITEM_BYTES / 1024 / 1024} MiB, so it was not read.`,
      );
    parts.push(part);
  }
  const value = parseBytes(concatBytes(parts));
  if (value !== undefined) return value;
  throw new SourceFailure(
    'network',
    `A response from ${name} is not JSON, or breaks off; check ${address} and run it again.`,
    { status: response.status },
  );
}

/** Returns `undefined` if the bytes are not JSON in UTF-8. */
function parseBytes(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
