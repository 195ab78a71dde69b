// createApp: the web app as a mount of a gateway: its pages, the reads of /v1 behind a session, and its own endpoints.

import type { Log } from '../../gateway/log.ts';
import type { CreateMount } from '../../gateway/mount.ts';
import { redirectTo } from '../../gateway/public/public.ts';
import type { GatewayRequest } from '../../gateway/request/request.ts';
import { pathOf } from '../../gateway/request/route.ts';
import type { Content } from '../../gateway/response/http-response.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import type { AppStore } from '../../store/app/app-store.ts';
import { Refusal } from '../../store/refusal.ts';
import type { AppContext, AppParts } from './app-parts.ts';
import { createEndpoints, readOnly } from './endpoints.ts';
import { createSharedPages, isShared, SHARED_CACHING } from './handlers/shared-page.ts';
import { createKeyUse } from './key-use.ts';
import { createPages, PAGE_CACHING } from './pages.ts';
import { addressOf } from './request/address.ts';
import { checkCrossSite } from './request/cross-site.ts';
import { createFindReader, signedOut } from './sign-in/reader.ts';
import { explaining } from './store-problems.ts';

const API = '/app/v1';

// A browser may cache what it has read, for Back, and asks whether it is current. Sessions and keys are never cached.
// No page of another port of this host may embed them. Browsers tell such requests apart on https and loopback alone.
const UNEMBEDDED = [
  'content-security-policy',
  "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy',
  'same-origin',
];
const READS = [
  'cache-control',
  'private, no-cache',
  'vary',
  'cookie, accept-encoding',
  ...UNEMBEDDED,
];
// The root of the gateway redirects with the headers that it has without the app.
const ROOT = [
  'cache-control',
  'private, no-cache',
  'vary',
  'authorization, x-api-key, accept-encoding',
];
const OWN = ['cache-control', 'no-store', 'vary', 'cookie, accept-encoding', ...UNEMBEDDED];

/** Creates the app of a gateway. */
export function createApp(parts: AppParts): CreateMount {
  return (gateway) => {
    const opened = createOpened(() => parts.openStore(gateway.now));
    const keyUse = createKeyUse(
      (uses, reads) => andThen(opened.store(), ({ keys }) => keys.recordUse(uses, reads)),
      createReportUse(gateway.log),
      parts.keyLog,
    );
    const { store } = opened;
    const connector = parts.connect?.({ gateway, store, keyLog: parts.keyLog === true });
    const app: AppContext = { ...parts, gateway, store, connector, keyUse };
    const findReader = createFindReader(app);
    const endpoints = createEndpoints(app, findReader);
    const pages = createPages(parts.findFile, gateway.audio !== undefined);
    const shared = createSharedPages(app);

    function handleApi(request: GatewayRequest, target: string): Awaitable<Content> {
      const address = addressOf(request, gateway);
      checkCrossSite(request, address);
      const path = pathOf(target);
      const endpoint = endpoints.find(request, path);
      if (endpoint !== undefined) return endpoint(address);
      readOnly(request);
      return andThen(
        explaining('reads', () => findReader(request, address)),
        (reader) => {
          if (reader === undefined) throw signedOut();
          return gateway.read(request, target.slice('/app'.length), reader.account_id);
        },
      );
    }

    return {
      owns: (path) =>
        path === '/' ||
        path === '/app' ||
        path.startsWith('/app/') ||
        isShared(path) ||
        connector?.owns(path) === true,
      commonHeaders(path) {
        if (connector?.owns(path) === true) return connector.commonHeaders(path);
        if (path === '/') return ROOT;
        if (isShared(path)) return SHARED_CACHING;
        if (!isApi(path)) return PAGE_CACHING;
        return endpoints.owns(path) ? OWN : READS;
      },
      handle(request, target) {
        const path = pathOf(target);
        if (isApi(path)) return handleApi(request, target);
        if (connector?.owns(path) === true) return connector.handle(request, target);
        readOnly(request);
        if (isShared(path)) return shared(request, path);
        if (path === '/') return redirectTo(request, 'app/');
        if (path === '/app') return redirectTo(request, 'app/');
        return pages.get(request, path.slice('/app/'.length), () => addressOf(request, gateway));
      },
      keyUsed: keyUse.note,
      close: () => andThen(keyUse.close(), () => andThen(connector?.close?.(), opened.close)),
    };
  };
}

function isApi(path: string): boolean {
  return path === API || path.startsWith(`${API}/`);
}

/** Creates the function that logs that the use of keys cannot be written, each kind of error once. A user who may only read is no error: sign-in says so. */
function createReportUse({ warn }: Log): (error: unknown) => void {
  const told = new Set<string>();
  return (error) => {
    const kind = error instanceof Refusal ? String(error.code) : 'error';
    if (kind === 'denied' || told.has(kind)) return;
    told.add(kind);
    warn?.({ err: error }, 'the last use of keys cannot be written');
  };
}

/** The store of a running app. */
interface Opened {
  readonly store: () => Awaitable<AppStore>;
  readonly close: () => Awaitable<void>;
}

/** Opens the store when it is first needed. If that fails, the next request tries again. */
function createOpened(open: () => Awaitable<AppStore>): Opened {
  let opened: Awaitable<AppStore> | undefined;
  return {
    store() {
      if (opened !== undefined) return opened;
      const store = open();
      opened = store;
      if (store instanceof Promise)
        store.catch(() => {
          opened = undefined;
        });
      return store;
    },
    close: () => opened && andThen(opened, (store) => store.close()),
  };
}
