// A gateway with the web app, and browsers that sign in to it, for tests.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';

import {
  connectGateway,
  createServer,
  type AppOptions,
  type Gateway,
  type GatewayOptions,
} from '../../../src/index.ts';
import type { AppStore } from '../../../src/store/app/app-store.ts';
import { engineOf } from '../../../src/store/engines.ts';
import { appAddress } from '../engines/database-addresses.ts';
import { send, type WireAnswer } from '../wire/wire.ts';
import { issued } from '../world/artifacts.ts';
import { listen } from '../world/server-in-process.ts';
import { createWorld, memory, type World } from '../world/world.ts';

/** A gateway with the app. */
export interface AppWorld extends Pick<World, 'database' | 'writer' | 'log'> {
  readonly gateway: Gateway;
  readonly port: number;
  /** Opens the app's store as the command line does. */
  readonly withStore: <T>(work: (store: AppStore) => T | Promise<T>) => Promise<T>;
  /** Creates a sign-in link and returns its secret. */
  readonly link: (account_id: string) => Promise<string>;
  /** Creates a browser that is signed in. */
  readonly signIn: (account_id?: string, options?: BrowserOptions) => Promise<TestBrowser>;
  readonly browser: (options?: BrowserOptions) => TestBrowser;
  /** A key of each account. */
  readonly keys: Readonly<Record<'ana' | 'bo', string>>;
}

/** What differs from a browser at the address of the gateway. */
export interface BrowserOptions {
  /** The path in front of `/app`. */
  readonly prefix?: string;
  readonly port?: number;
  readonly origin?: string;
  /** Headers of every request. */
  readonly headers?: Record<string, string>;
  /** A jar that browsers share. */
  readonly jar?: Map<string, string>;
}

/** A browser: it keeps cookies by name, and sends what browsers send. */
export interface TestBrowser {
  readonly jar: Map<string, string>;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<WireAnswer>;
  /** Sends a JSON body with the headers of a page of the app. */
  readonly post: (
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ) => Promise<WireAnswer>;
  /** Sends bytes, as the Import page does. */
  readonly put: (path: string, headers?: Record<string, string>) => Promise<WireAnswer>;
  readonly delete: (
    path: string,
    headers?: Record<string, string>,
    body?: object,
  ) => Promise<WireAnswer>;
}

/** What the gateway of a world is created with. */
export interface AppWorldOptions {
  readonly app?: AppOptions;
  readonly baseUrl?: string;
  readonly proxies?: readonly string[];
  readonly audio?: GatewayOptions['audio'];
}

/** Creates a gateway with the app, and the accounts `ana` and `bo` with a memory each. */
export async function createAppWorld(
  t: TestContext,
  { app = {}, baseUrl, proxies, audio }: AppWorldOptions = {},
): Promise<AppWorld> {
  const world = await createWorld(t);
  const { database, writer, log } = world;
  const keys = {
    ana: world.addAccount('ana', [
      memory({ id: 'one', transcript: 'Ana: '.padEnd(3000, 'word ') }),
    ]),
    bo: world.addAccount('bo', [memory({ id: 'two' })]),
  };
  const report = (fields: object, message: string) => log.push({ message, fields: { ...fields } });
  const gateway = await connectGateway({
    database: appAddress(database),
    app,
    audio,
    baseUrl,
    throttle: proxies && { perMinute: 0, proxies },
    log: { error: report, warn: report, access: report },
  });
  t.after(() => gateway.close());
  const port = await listen(t, createServer(gateway.listener));

  const withStore: AppWorld['withStore'] = async (work) => {
    const store = await engineOf(appAddress(database)).openApp();
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  const link = (account_id: string) =>
    withStore(async ({ links }) => issued((await links.create(account_id, 'test')).secret));
  const browser = (options: BrowserOptions = {}) => createTestBrowser({ port, ...options });
  return {
    database,
    writer,
    log,
    gateway,
    port,
    keys,
    withStore,
    link,
    browser,
    async signIn(account_id = 'ana', options = {}) {
      const opened = browser(options);
      const answer = await opened.post('/sessions', {
        way: 'link',
        secret: await link(account_id),
      });
      assert.equal(answer.status, 204, answer.text);
      for (const token of opened.jar.values()) issued(token);
      return opened;
    },
  };
}

/** Creates a browser. Paths are below `/app/v1`, unless they begin with `/app` or `/v1`. */
export function createTestBrowser({
  port = 0,
  prefix = '',
  origin = `http://127.0.0.1:${port}`,
  headers: always = {},
  jar = new Map(),
}: BrowserOptions): TestBrowser {
  async function exchange(method: string, path: string, more: object, body?: string) {
    const cookie = cookieOf(jar);
    const full = /^\/(?:app|v1|docs)(?:\/|$)/.test(path) || path === '/' ? path : `/app/v1${path}`;
    const headers = { host: new URL(origin).host, ...(cookie && { cookie }), ...always, ...more };
    const answer = await send(port, { method, path: prefix + full, headers, body });
    keepCookie(jar, answer.headers['set-cookie']);
    return answer;
  }
  const page = { origin, 'content-type': 'application/json' };
  return {
    jar,
    get: (path, headers = {}) => exchange('GET', path, headers),
    post: (path, body = {}, headers = {}) =>
      exchange('POST', path, { ...page, ...headers }, JSON.stringify(body)),
    put: (path, headers = {}) =>
      exchange(
        'PUT',
        path,
        { origin, 'content-type': 'application/octet-stream', ...headers },
        'bytes',
      ),
    delete: (path, headers = {}, body = {}) =>
      exchange('DELETE', path, { ...page, ...headers }, JSON.stringify(body)),
  };
}

/** Returns the header with which a browser sends the cookies of its jar. */
export function cookieOf(jar: ReadonlyMap<string, string>): string {
  return Array.from(jar, (pair) => pair.join('=')).join('; ');
}

function keepCookie(jar: Map<string, string>, line: string | undefined): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line ?? '') ?? [];
  if (name === '') return;
  if (value === '') jar.delete(name);
  else jar.set(name, value);
}

/** The headers about caching of responses about sessions and keys. */
export const NO_STORE = { 'cache-control': 'no-store', vary: 'cookie, accept-encoding' };

/** Reads an object. */
export function jsonOf({ text }: WireAnswer): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

/** Reads a list of objects. */
export function listOf({ text }: WireAnswer): Record<string, unknown>[] {
  return JSON.parse(text) as Record<string, unknown>[];
}
