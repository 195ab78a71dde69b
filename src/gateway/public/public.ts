// The public endpoints outside /v1, which need no key and reveal nothing about accounts.

import type { HandlerResult } from '../../contract/handlers.ts';
import { toJson } from '../../contract/json.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import type { Store } from '../../store/store.ts';
import type { GatewayRequest } from '../request/request.ts';
import { isRead, methodNotAllowed, pathNotFound } from '../request/route.ts';
import type { Content } from '../response/http-response.ts';
import { unavailable } from '../response/report.ts';
import { createDocs, type PublicDocument } from './docs.ts';
import { createOpenApiDocument, fetchedAddress } from './openapi.ts';

/** Answers requests outside /v1. */
export interface Public {
  /** Throws a 404, 405 or 503. */
  readonly handle: (request: GatewayRequest, path: string) => Awaitable<Content>;
  /** Returns whether there may be something at a path. */
  readonly owns: (path: string) => boolean;
}

const DOCS = '/docs/';

/** The URLs on the page are relative to `/docs`, without a slash at the end. */
const TO_DOCS: Content = {
  status: 308,
  type: 'text/plain; charset=utf-8',
  headers: ['location', '../docs'],
  body: Buffer.from('The page is at ../docs.\n'),
};

/** Redirects from `/` to a path below it. A relative URL is right behind proxies that remove a prefix unsaid. */
export function redirectTo({ base }: GatewayRequest, path: string): Content {
  const location = base === '' ? path : `${base}/${path}`;
  return {
    status: 303,
    type: 'text/plain; charset=utf-8',
    headers: ['location', location],
    body: Buffer.from(`See ${location}.\n`),
  };
}

/** Creates the handler of the public endpoints. */
export function createPublic(healthChecks: HealthChecks, sandboxDocs: boolean): Public {
  const docsFile = createDocs(sandboxDocs);
  const openApiDocument = createOpenApiDocument();
  return {
    handle(request, path) {
      const handle = find(request, path);
      if (handle === undefined) throw pathNotFound();
      if (!isRead(request.method)) throw methodNotAllowed();
      return handle();
    },
    owns: (path) =>
      isHealthPath(path) || path === '/openapi.json' || path === '/docs' || path.startsWith(DOCS),
  };

  function find(request: GatewayRequest, path: string): (() => Awaitable<Content>) | undefined {
    if (isHealthPath(path)) return healthChecks[path];
    if (path === '/openapi.json')
      return () => serve(request, openApiDocument(fetchedAddress(request)));
    if (path === DOCS) return () => TO_DOCS;
    if (path === '/') return () => redirectTo(request, 'docs');
    const page = path === '/docs' ? docsFile('') : undefined;
    const file = path.startsWith(DOCS) ? docsFile(path.slice(DOCS.length)) : page;
    return file && (() => serve(request, file));
  }
}

function serve(
  { condition }: GatewayRequest,
  document: Awaitable<PublicDocument>,
): Awaitable<Content> {
  return andThen(document, (content) =>
    condition?.match(content.etag) === undefined ? content : { ...content, body: null },
  );
}

/** The health checks by path. Each throws a 503 if its check fails. */
export type HealthChecks = Readonly<
  Record<'/healthz' | '/readyz', () => Awaitable<HandlerResult<unknown>>>
>;

function isHealthPath(path: string): path is keyof HealthChecks {
  return path === '/healthz' || path === '/readyz';
}

/** Creates the health checks. */
export function createHealthChecks(
  store: Store,
  state: { readonly draining: boolean },
): HealthChecks {
  return {
    // Independent of the store, because a restart would not repair a database.
    '/healthz': () => UP,
    '/readyz': () => {
      if (state.draining) throw unavailable('is shutting down');
      return andThen(check(store), () => READY);
    },
  };
}

const UP = { body: toJson({ status: 'up' }) };
const READY = { body: toJson({ status: 'ready' }) };

function check(store: Store): Awaitable<void> {
  try {
    const checked = store.check();
    return checked instanceof Promise ? checked.catch(throwUnreadable) : checked;
  } catch {
    return throwUnreadable();
  }
}

function throwUnreadable(): never {
  throw unavailable('cannot read its database');
}
