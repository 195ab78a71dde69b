// Cross-site requests: refuses what another origin made a browser send, before anything is read.

import { Failure } from '../../../contract/failure.ts';
import { valuesOf } from '../../../gateway/request/headers.ts';
import type { GatewayRequest } from '../../../gateway/request/request.ts';
import { isRead } from '../../../gateway/request/route.ts';
import type { Address } from './address.ts';

/**
 * Throws a 403 if a request may come from another origin, and a 415 if its body is neither JSON nor, of a PUT, bytes. Other ports of a
 * host are other origins, although browsers call them same-site. On plain http browsers send no
 * Sec-Fetch-Site, so Origin counts. A read may have neither.
 */
export function checkCrossSite({ method, headers }: GatewayRequest, { origin }: Address): void {
  const site = valuesOf(headers, 'sec-fetch-site');
  if (site.some((each) => each !== 'same-origin')) throw notOurPage();
  const [from, ...more] = valuesOf(headers, 'origin');
  if (isRead(method)) {
    if (from !== undefined && from !== origin) throw notOurPage();
    return;
  }
  if (from === undefined || more.length > 0) throw notOurPage();
  if (from !== origin)
    throw new Failure(
      403,
      `This request comes from another address than the app's. Open the app at one address; behind a proxy, check that it passes Host and X-Forwarded-Proto on, or set --base-url.`,
    );
  const [type, ...others] = valuesOf(headers, 'content-type');
  const isUpload = method === 'PUT' && type === 'application/octet-stream';
  if (isUpload && others.length === 0) return;
  if (type === undefined || others.length > 0 || !JSON_TYPE.test(type))
    throw new Failure(415, 'Send the body as JSON, with "content-type: application/json".');
}

const JSON_TYPE = /^application\/json(?:;[ \t]*charset=(?:utf-8|"utf-8"))?$/i;

function notOurPage(): Failure {
  return new Failure(
    403,
    'Only pages of the app may send this request; open the app, or use /v1 with an API key.',
  );
}
