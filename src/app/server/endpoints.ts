// The app's own endpoints: finds the route of a request, reads and checks its input, and runs its handler.

import * as v from 'valibot';

import { checkInput } from '../../contract/check-input.ts';
import { createFindEndpoints, endpointsOf, type Match } from '../../contract/endpoints.ts';
import { Failure } from '../../contract/failure.ts';
import { toJson } from '../../contract/json.ts';
import type { Route } from '../../contract/route.ts';
import { readBody } from '../../gateway/request/body.ts';
import type { GatewayRequest } from '../../gateway/request/request.ts';
import { isRead } from '../../gateway/request/route.ts';
import type { Content } from '../../gateway/response/http-response.ts';
import { ResponseFailure } from '../../gateway/response/response-failure.ts';
import { appRoutes } from '../contract/app-routes.ts';
import type { AppContext } from './app-parts.ts';
import type { AppCall, AppHandlers, HandlerReply } from './call.ts';
import { accountHandlers } from './handlers/account.ts';
import { addressHandlers } from './handlers/addresses.ts';
import { bookmarkHandlers } from './handlers/bookmarks.ts';
import { deletionHandlers } from './handlers/deletions.ts';
import { changeHandlers, editHandlers } from './handlers/edits.ts';
import { createGrantHandlers } from './handlers/grants.ts';
import { importHandlers } from './handlers/imports.ts';
import { keyHandlers } from './handlers/key-handlers.ts';
import { notes } from './handlers/notes.ts';
import { phraseHandlers } from './handlers/phrases.ts';
import { shareHandlers } from './handlers/shares.ts';
import { createPasskeyHandlers, signInByPasskey } from './handlers/sign-in/passkeys.ts';
import { createPasswordHandlers } from './handlers/sign-in/password.ts';
import { createSessionHandlers } from './handlers/sign-in/sessions.ts';
import { sourceHandlers } from './handlers/sources.ts';
import type { Address } from './request/address.ts';
import { agentOf } from './request/agent.ts';
import { signedOut, type FindReader, type Reader } from './sign-in/reader.ts';
import { explaining } from './store-problems.ts';

/** The longest body that the app takes, in bytes. */
const MAX_BODY_BYTES = 8192;

/** The longest part of an upload, in bytes. */
const MAX_PART_BYTES = 4 * 1024 * 1024;

/** The app's own endpoints. */
export interface AppEndpoints {
  readonly owns: (path: string) => boolean;
  /** Returns what answers a request, or undefined if its path is none of the endpoints. Throws a 405. */
  readonly find: (
    request: GatewayRequest,
    path: string,
  ) => ((address: Address) => Promise<Content>) | undefined;
}

const NO_BYTES = Buffer.alloc(0);

type Handler = (call: AppCall<unknown, Reader | undefined>) => Promise<HandlerReply<unknown>>;

/** The endpoints that remain if the host decides who is signed in: it has no sessions of ours. */
const OF_HOST =
  /^(?:me|ways|keys|grants|consents|agents|events|notes|bookmarks|searches|lengths|companions|speakers|phrases|changes)\./;

/** Creates the endpoints of an app. */
export function createEndpoints(app: AppContext, findReader: FindReader): AppEndpoints {
  const handlers: Readonly<Record<string, object>> = createAppHandlers(app);
  const endpoints = endpointsOf<Route>(appRoutes)
    .filter(({ name }) => app.accountOf === undefined || OF_HOST.test(name))
    .map((endpoint) => {
      const [group = '', action = ''] = endpoint.name.split('.');
      const ofGroup = handlers[group] as Readonly<Record<string, Handler>>;
      return { ...endpoint, handler: ofGroup[action] as Handler };
    });
  const findAt = createFindEndpoints(endpoints);

  return {
    owns: (path) => findAt(path).length > 0,
    find(request, path) {
      const here = findAt(path);
      if (here.length === 0) return undefined;
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const found = here.find(({ endpoint }) => endpoint.route.method === method);
      if (found === undefined)
        throw methodNotAllowed(here.map(({ endpoint }) => endpoint.route.method));
      request.trace.route = `app.${found.endpoint.name}`;
      return (address) => run(found, request, address);
    },
  };

  async function run(
    { endpoint: { route, handler }, params }: Match<(typeof endpoints)[number]>,
    request: GatewayRequest,
    address: Address,
  ): Promise<Content> {
    const hasBody = !isRead(request.method);
    const isUpload = request.method === 'PUT';
    // Read to its end in any case, so that the connection can be used again.
    const early = hasBody && !isUpload ? await readBody(request, MAX_BODY_BYTES) : undefined;
    const reader = await explaining('reads', () => findReader(request, address));
    if (reader === undefined && route.auth !== 'public') throw signedOut();
    if (reader !== undefined) request.trace.account_id = reader.account_id;
    const input = checkInput(route.input, readValues(params, early), 'body');
    // Nobody holds our memory with uploads without a session.
    const bytes = isUpload ? await readBody(request, MAX_PART_BYTES) : NO_BYTES;
    return explaining(hasBody ? 'writes' : 'reads', async () => {
      const store = await app.store();
      const agent = agentOf(request.headers);
      const call = { app, store, request, address, agent, reader, input, bytes };
      const reply = await handler(call);
      const { output, headers = [] } = reply;
      if (output === null) return { status: 204, body: null, headers };
      return { body: toJson(v.parse(route.output, output)), headers };
    });
  }
}

/** Reads the input of a request. Throws a 400 if the body is not JSON, and a 422 if it has what the path has. */
function readValues(params: Readonly<Record<string, string>>, body: Buffer | undefined): object {
  const given = body === undefined || body.length === 0 ? {} : parseObject(body);
  const repeated = Object.keys(params).find((name) => Object.hasOwn(given, name));
  if (repeated !== undefined)
    throw new Failure(422, `Send "${repeated}" in the path, and not in the body.`);
  return { ...given, ...params };
}

function parseObject(body: Buffer): object {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The same sentence as for another value, because the text may be a secret.
  }
  throw new Failure(400, 'Send the body as one JSON object.');
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
function createAppHandlers(app: AppContext): AppHandlers {
  const { password, signIn } = createPasswordHandlers(app);
  const { challenges, passkeys } = createPasskeyHandlers(app);
  return {
    ...accountHandlers,
    addresses: addressHandlers,
    ...createSessionHandlers({ signInByPassword: signIn, signInByPasskey }),
    imports: importHandlers,
    sources: sourceHandlers,
    shares: shareHandlers,
    ...bookmarkHandlers,
    phrases: phraseHandlers,
    edits: editHandlers,
    changes: changeHandlers,
    deletions: deletionHandlers,
    keys: keyHandlers,
    ...createGrantHandlers(app.connector),
    notes,
    challenges,
    passkeys,
    password,
  };
}
