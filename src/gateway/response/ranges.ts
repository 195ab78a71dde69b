// Ranges: which part of a file a request gets (RFC 9110 §14). Lists of ranges get the whole file.

import type { FileParts } from '../../contract/handlers.ts';
import type { Bytes, EndpointResult } from '../endpoints/endpoint.ts';
import { etagHeader } from '../request/encoding.ts';
import { trimSpace, valuesOf } from '../request/headers.ts';
import type { GatewayRequest } from '../request/request.ts';
import { ResponseFailure, type FailureHeaders } from './response-failure.ts';

/** What is sent of a file. Its bytes are read when they are sent. */
interface SentPart {
  readonly status: 200 | 206;
  readonly headers: readonly string[];
  readonly body: AsyncIterable<Bytes>;
  readonly isPlain: true;
}

/** Chooses the part of a file that a request asks for. Throws a 416 if the file ends before it. */
export function partOf(
  request: Pick<GatewayRequest, 'method' | 'headers'>,
  { size, read }: FileParts,
  {
    etag = '',
    headers: own = [],
    common,
  }: Pick<EndpointResult, 'etag' | 'headers'> & Pick<FailureHeaders, 'common'>,
): SentPart {
  const range = readRange(request, size, etag);
  const { start, end } = range ?? { start: 0, end: size };
  if (range !== undefined && start >= end)
    throw new ResponseFailure(
      416,
      `The file has ${size} bytes; send a Range that begins below that, or none.`,
      { headers: ['content-range', `bytes */${size}`], common },
    );
  const headers = [...own, 'accept-ranges', 'bytes', 'content-length', String(end - start)];
  if (range !== undefined) headers.push('content-range', `bytes ${start}-${end - 1}/${size}`);
  return { status: range ? 206 : 200, headers, body: read(start, end), isPlain: true };
}

/** Reads the range of a request, from `start` to before `end`. A malformed one counts as none (RFC 9110 §14.2). */
function readRange(
  { method, headers }: Pick<GatewayRequest, 'method' | 'headers'>,
  size: number,
  etag: string,
) {
  const given = valuesOf(headers, 'range');
  if (method !== 'GET' || given.length !== 1) return undefined;
  const condition = valuesOf(headers, 'if-range');
  if (condition.length > 0 && trimSpace(condition.join(',')) !== etagHeader(etag)) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(trimSpace(given[0] ?? '')) ?? [];
  if (first === '') return last === '' ? undefined : lastBytes(Number(last), size);
  if (last !== '' && Number(last) < Number(first)) return undefined;
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  return { start: Number(first), end };
}

function lastBytes(count: number, size: number) {
  return { start: size - Math.min(count, size), end: size };
}
