// The endpoints that clients call themselves: tokens, revocation and registration.

import type { MountContext } from '../gateway/mount.ts';
import { readBody } from '../gateway/request/body.ts';
import { valuesOf } from '../gateway/request/headers.ts';
import type { GatewayRequest } from '../gateway/request/request.ts';
import type { Content } from '../gateway/response/http-response.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ServerReply } from './call.ts';
import { createCountRegistration, cutRegistration } from './registration.ts';

/** The longest body, in bytes. A proof of a client that is signed with a long key has about 1,000. */
const MAX_BODY = 16_384;

/** The parameters of the token and revocation endpoints. The scope belongs to the grant, so nobody asks for another. */
const PARAMETERS = new Set([
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'resource',
  'token',
  'token_type_hint',
]);

const INVALID_GRANT: Content = {
  status: 400,
  type: 'application/json; charset=utf-8',
  body: Buffer.from(
    '{"error":"invalid_grant","error_description":"the code or token is unknown, or has ended"}',
  ),
};

/** A token that is unknown is as good as revoked (RFC 7009 §2.2). */
const NOTHING_REVOKED: Content = { status: 200, body: Buffer.alloc(0) };

/** What the endpoints need. */
export interface EndpointParts {
  readonly gateway: MountContext;
  readonly server: () => Promise<AuthorizationServer>;
}

/** Creates the endpoints, by their names below the issuer. All of them take POST. */
export function createClientEndpoints({
  gateway,
  server,
}: EndpointParts): ReadonlyMap<string, (request: GatewayRequest) => Promise<Content>> {
  const countRegistration = createCountRegistration();
  const form = async (request: GatewayRequest, target: string) => {
    request.trace.route = routeOf(target);
    const body = await readBody(request, MAX_BODY);
    const type = valuesOf(request.headers, 'content-type').join();
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(type);
    if (!isForm) return run(request, target, body);
    const given = new URLSearchParams(
      [...new URLSearchParams(body.toString())].filter(([name]) => PARAMETERS.has(name)),
    );
    const secret = given.get('code') ?? given.get('refresh_token') ?? given.get('token');
    // The keys that check a proof may have to be fetched, which nobody causes without a code or token.
    if (given.has('client_assertion') && !(await (await server()).hasIssued(secret ?? '')))
      return target === '/token' ? INVALID_GRANT : NOTHING_REVOKED;
    return run(request, target, Buffer.from(String(given)));
  };
  const run = async (request: GatewayRequest, target: string, body: Uint8Array) => {
    const { headers } = request;
    const passed = ['content-type', 'authorization'].flatMap((name) =>
      valuesOf(headers, name).map((value): [string, string] => [name, value]),
    );
    const { call } = await server();
    return toContent(
      await call({ method: 'POST', target, headers: Object.fromEntries(passed), body }),
    );
  };
  const register = async (request: GatewayRequest) => {
    const body = await readBody(request, MAX_BODY);
    request.trace.route = routeOf('/register');
    countRegistration(gateway.clientIp(request));
    return run(request, '/register', cutRegistration(body));
  };
  // A map, because a path can name what every object inherits, such as "constructor".
  return new Map([
    ['token', (request) => form(request, '/token')],
    ['revoke', (request) => form(request, '/revoke')],
    ['register', register],
  ]);
}

/** Returns the name of an endpoint in the access log. */
function routeOf(target: string): string {
  return `oauth${target.replace('/', '.')}`;
}

/**
 * Passes on what the server says, and none of its cookies. A client that is unknown gets a 401, so that one that was
 * forgotten registers again.
 */
function toContent({ status: said, headers, body }: ServerReply): Content {
  const isUnknown = said === 400 && body.toString().startsWith('{"error":"invalid_client"');
  const status = isUnknown ? 401 : said;
  const challenge = isUnknown ? 'Bearer error="invalid_client"' : headers['www-authenticate'];
  return {
    status,
    type: headers['content-type'] ?? 'application/json; charset=utf-8',
    headers: [
      'pragma',
      'no-cache',
      ...(typeof challenge === 'string' ? ['www-authenticate', challenge] : []),
    ],
    body,
  };
}
