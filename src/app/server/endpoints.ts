// The app's own endpoints: finds the route of a request, reads and checks its input, and runs its handler.

import * as v from 'valibot';

import { endpointsOf, type Endpoint } from '../../contract/endpoints.ts';
import { toJson } from '../../contract/json.ts';
import type { GatewayRequest } from '../../gateway/request/request.ts';
import { isRead } from '../../gateway/request/route.ts';
import type { Content } from '../../gateway/response/http-response.ts';
import { ResponseFailure } from '../../gateway/response/response-failure.ts';
import { appRoutes } from '../contract.ts';
import type { AppRoute } from '../route.ts';
import type { Address } from './address.ts';
import { agentOf } from './agent.ts';
import type { AppCall, AppHandlers, Reply } from './call.ts';
import { account } from './handlers/account.ts';
import { agents } from './handlers/agents.ts';
import { createGrantHandlers } from './handlers/grants.ts';
import { keys } from './handlers/keys.ts';
import { notes } from './handlers/notes.ts';
import { createPasskeyHandlers, signInByPasskey } from './handlers/passkeys.ts';
import { createPasswordHandlers } from './handlers/password.ts';
import { createSessionHandlers } from './handlers/sessions.ts';
import { readInput } from './input.ts';
import type { App } from './parts.ts';
import { signedOut, type FindReader, type Reader } from './reader.ts';
import { explaining } from './store-problems.ts';

/** The longest body that the app takes, in bytes. */
const MAX_BODY_BYTES = 8192;

/** The app's own endpoints. */
export interface AppEndpoints {
  readonly owns: (path: string) => boolean;
  /** Returns what answers a request, or undefined if its path is none of the endpoints. Throws a 405. */
  readonly find: (
    request: GatewayRequest,
    path: string,
  ) => ((address: Address) => Promise<Content>) | undefined;
}

type Handler = (call: AppCall<unknown, Reader | undefined>) => unknown;

/** The endpoints that remain if the host decides who is signed in: it has no sessions of ours. */
const OF_HOST = /^(?:me|ways|keys|grants|consents|agents|events|notes)\./;

/** Creates the endpoints of an app. */
export function createEndpoints(app: App, findReader: FindReader): AppEndpoints {
  const handlers = createAppHandlers(app) as unknown as Record<string, Record<string, Handler>>;
  const endpoints = endpointsOf<AppRoute>(appRoutes)
    .filter(({ name }) => app.accountOf === undefined || OF_HOST.test(name))
    .map((endpoint) => ({ ...endpoint, pattern: toPattern(endpoint.route.path) }));

  return {
    owns: (path) => endpoints.some(({ pattern }) => pattern.test(path)),
    find(request, path) {
      const here = endpoints.filter(({ pattern }) => pattern.test(path));
      if (here.length === 0) return undefined;
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const found = here.find(({ route }) => route.method === method);
      if (found === undefined) throw methodNotAllowed(here.map(({ route }) => route.method));
      request.trace.route = `app.${found.name}`;
      const params = found.pattern.exec(path)?.groups ?? {};
      return (address) => run({ endpoint: found, request, address, params });
    },
  };

  async function run({ endpoint, request, address, params }: Run): Promise<Content> {
    const { route, name } = endpoint;
    const hasBody = !isRead(request.method);
    // Read to its end in any case, so that the connection can be used again.
    const body = hasBody ? await request.readBody(MAX_BODY_BYTES) : undefined;
    const reader = await explaining('reads', () => findReader(request, address));
    if (reader === undefined && route.isPublic !== true) throw signedOut();
    if (reader !== undefined) request.trace.account_id = reader.account_id;
    const input = readInput(route, params, body);
    const [group = '', action = ''] = name.split('.');
    return explaining(hasBody ? 'writes' : 'reads', async () => {
      const store = await app.store();
      const agent = agentOf(request.headers);
      const call = { app, store, request, address, agent, reader, input };
      const reply = await handlers[group]?.[action]?.(call);
      const { output, headers = [] } = reply as Reply<unknown>;
      if (output === null) return { status: 204, body: null, headers };
      return { body: toJson(v.parse(route.output, output)), headers };
    });
  }
}

interface Run {
  readonly endpoint: Endpoint<AppRoute>;
  readonly request: GatewayRequest;
  readonly address: Address;
  readonly params: Readonly<Record<string, string>>;
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

/** Throws a 405 if a method does not read. */
export function readOnly({ method }: GatewayRequest): void {
  if (!isRead(method)) throw methodNotAllowed(['GET']);
}

function methodNotAllowed(methods: readonly string[]): ResponseFailure {
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const [last, ...others] = allowed.toReversed();
  const names = others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
  return new ResponseFailure(405, `Use ${names} at this path.`, {
    headers: ['allow', allowed.join(', ')],
  });
}

/** Creates the handlers of an app, by group. */
function createAppHandlers(app: App): AppHandlers {
  const { password, signIn } = createPasswordHandlers(app);
  const { challenges, passkeys } = createPasskeyHandlers(app);
  return {
    ...account,
    ...createSessionHandlers({ signInByPassword: signIn, signInByPasskey }),
    keys,
    ...createGrantHandlers(app.connector),
    agents,
    notes,
    challenges,
    passkeys,
    password,
  };
}
