// Mounts: handlers of paths outside /v1, such as the web app, which get what they need of their gateway.

import type { Api } from '../contract/api.ts';
import { Failure } from '../contract/failure.ts';
import { andThen, eachInTurn, type Awaitable } from '../lib/async.ts';
import type { Scope } from '../store/scope.ts';
import type { AudioFolderOf } from './endpoints/details/audio.ts';
import type { FindByTime } from './endpoints/search/found-by-time.ts';
import type { Log } from './log.ts';
import type { FindCaller } from './mcp/endpoint.ts';
import type { Authenticate, Caller, NoteKey } from './request/auth.ts';
import type { GatewayRequest } from './request/request.ts';
import { pathOf } from './request/route.ts';
import { headersOf, type Content } from './response/http-response.ts';
import { ResponseFailure } from './response/response-failure.ts';
import type { Result } from './result.ts';

/** Handlers of paths outside `/v1`, with methods of their own. */
export interface Mount {
  /** Returns whether a path is one of its own. */
  readonly owns: (path: string) => boolean;
  /** The headers of each response about caching: name, value, name, value, … */
  readonly commonHeaders: (path: string) => readonly string[];
  /** Answers a request for one of its paths. May throw a `Failure`, or a `ResponseFailure` with headers of its own. */
  readonly handle: (request: GatewayRequest, target: string) => Awaitable<Result<Content>>;
  /** Notes the use of each key that was accepted. On the path of every request. */
  readonly keyUsed?: NoteKey;
  /** Frees what it has opened. Called once, before the store is closed. */
  readonly close?: () => Awaitable<void>;
}

/** What a mount gets of its gateway. */
export interface MountContext {
  readonly log: Log;
  /** The configured base URL or path, or `''`. */
  readonly base: string;
  /** The clock that ends keys, in milliseconds since 1970. It never goes back. */
  readonly now: () => number;
  /** Returns the account of the key in a request's headers, or a 401 or 429. */
  readonly authenticate: Authenticate;
  /** Answers a target of `/v1` for an account, through the same handlers and the same cache. */
  readonly read: (
    request: GatewayRequest,
    target: string,
    account_id: string,
  ) => Awaitable<Content>;
  /** Returns an enabled account as a caller with a scope. Throws a 401 if there is none. */
  readonly callerOf: (account_id: string, scope: Scope | undefined) => Awaitable<Caller>;
  /** What a search finds by time. */
  readonly findByTime: FindByTime;
  /** Answers a message of an agent, whose caller is found by a function instead of an API key. */
  readonly mcp: (request: GatewayRequest, find: FindCaller) => Awaitable<Result<Content>>;
  /** Returns the folder with the recordings of an account. Undefined: none are served. */
  readonly audio: AudioFolderOf | undefined;
  /** Returns the API of an account. */
  readonly as: (account_id: string) => Api;
  /** Returns whether a request comes straight from a configured proxy. */
  readonly isFromProxy: (request: GatewayRequest) => boolean;
  /** Returns the caller's address, if it can be known. */
  readonly clientIp: (request: GatewayRequest) => string | undefined;
}

/** Creates a mount for a gateway. May throw `Refusal`. */
export type CreateMount = (gateway: MountContext) => Mount;

/** The mounts of a gateway: none before `open`. */
export interface Mounts {
  /** Creates the mounts, for a gateway whose parts are there. Throws `Refusal` if one of them does. */
  readonly open: (creates: readonly CreateMount[], context: MountContext) => void;
  readonly find: (path: string) => Mount | undefined;
  /** What notes the use of keys. */
  readonly keyNotes: readonly NoteKey[];
  readonly close: () => Awaitable<void>;
}

/** Creates the register of a gateway's mounts. */
export function createMounts(): Mounts {
  const mounts: Mount[] = [];
  const keyNotes: NoteKey[] = [];
  return {
    open(creates, context) {
      mounts.push(...creates.map((create) => create(context)));
      keyNotes.push(...mounts.flatMap(({ keyUsed }) => keyUsed ?? []));
    },
    find: (path) => mounts.find(({ owns }) => owns(path)),
    keyNotes,
    close: () => eachInTurn(mounts, (mount) => mount.close?.()),
  };
}

/** Runs the handler of a mount. All its responses have its own common headers, failures included. */
export function runMount(
  mount: Mount,
  request: GatewayRequest,
  target: string,
): Awaitable<Content> {
  const common = mount.commonHeaders(pathOf(target));
  const fail = (error: unknown): never => {
    if (!(error instanceof Failure)) throw error;
    const { status, detail } = error;
    const headers = error instanceof ResponseFailure ? error.headers : headersOf(error);
    throw new ResponseFailure(status, detail, { headers, common });
  };
  try {
    const content = andThen(mount.handle(request, target), (made) =>
      made instanceof Failure ? fail(made) : { common, ...made },
    );
    return content instanceof Promise ? content.catch(fail) : content;
  } catch (error) {
    return fail(error);
  }
}
