// Firefox as Debian has it, driven by WebDriver BiDi over a WebSocket. playwright-core needs a newer Firefox.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { newFolder } from '../support/world/artifacts.ts';

const PROGRAM = process.env['FIREFOX'] ?? 'firefox-esr';
const PATIENCE_MS = 30_000;

/** The reason to skip tests with Firefox, or false. */
export const noFirefox: string | false =
  spawnSync(PROGRAM, ['--version']).status === 0 || process.env['REQUIRE_FIREFOX'] === '1'
    ? false
    : 'there is no firefox-esr here';

// Like openBrowser: a name as a home network has it, and nothing but this machine can be reached.
const PREFERENCES = {
  'network.dns.localDomains': 'memories.lan',
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.no_proxies_on': '127.0.0.1, localhost, memories.lan',
};

/** How to find an element: by role and accessible name, or by a part of its text, without quotes. */
export type Target = { readonly role: string; readonly name: string } | { readonly text: string };

/** A page in a profile of its own. */
export interface FirefoxPage {
  /** What went wrong: console errors, violations of the policy, and responses of 400 or more. */
  readonly faults: string[];
  readonly requested: string[];
  readonly goto: (url: string) => Promise<void>;
  /** Evaluates an expression that has a string as its value. */
  readonly text: (expression: string) => Promise<string>;
  /** Waits for an element. */
  readonly find: (target: Target) => Promise<string>;
  /** Waits for an element, and presses it with the mouse. */
  readonly click: (target: Target) => Promise<void>;
  /** Types at the focus. `\uE009` is Ctrl, which is held to the end. */
  readonly type: (keys: string) => Promise<void>;
}

/** A running Firefox. */
export interface Firefox {
  readonly open: () => Promise<FirefoxPage>;
  readonly close: () => Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: EventFields;
  readonly result?: Fields;
  readonly message?: string;
}
interface EventFields {
  readonly level?: string;
  readonly text?: string;
  readonly context?: string;
  readonly source?: { readonly context?: string };
  readonly request?: { readonly url: string };
  readonly response?: { readonly status: number };
}

/** Looks again and again until there is something, and returns it. */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string,
): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`There is no ${what}.`);
    await sleep(50);
  }
}

/** Starts Firefox with an empty profile. */
export async function openFirefox(): Promise<Firefox> {
  const profile = newFolder();
  const lines = Object.entries(PREFERENCES).map(
    (pair) => `user_pref(${JSON.stringify(pair).slice(1, -1)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile];
  const child = spawn(PROGRAM, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile },
  });
  let address = '';
  for await (const line of createInterface(child.stderr)) {
    address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1] ?? '';
    if (address !== '') break;
  }
  child.stderr.resume();
  if (address === '') throw new Error('Firefox did not start.');
  const { send, onEvent } = await connect(`${address}/session`);
  await send('session.new', { capabilities: {} });
  const events = ['log.entryAdded', 'network.beforeRequestSent', 'network.responseCompleted'];
  await send('session.subscribe', { events });
  // Some violations do not appear on the console.
  await send('script.addPreloadScript', {
    functionDeclaration: `() => document.addEventListener('securitypolicyviolation',
      ({ violatedDirective, blockedURI }) => console.error('policy: ' + violatedDirective + ' ' + blockedURI))`,
  });
  return {
    async open() {
      const { userContext } = await send('browser.createUserContext');
      const { context } = await send('browsingContext.create', { type: 'tab', userContext });
      return createPage(String(context), send, onEvent);
    },
    async close() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

const IS_STILL = `async (element) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const place = () => JSON.stringify(element.getBoundingClientRect());
  element.scrollIntoView({ block: 'center' });
  await frame();
  const before = place();
  await frame();
  return element.isConnected && place() === before;
}`;

type Send = (method: string, params?: Fields) => Promise<Fields>;
type OnEvent = (listener: (method: string, event: EventFields) => void) => void;

async function connect(address: string): Promise<{ send: Send; onEvent: OnEvent }> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<Fields>>();
  const listeners: Parameters<OnEvent>[0][] = [];
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result, message } = JSON.parse(String(data)) as Message;
    const call = waiting.get(id ?? -1);
    if (call === undefined) for (const listener of listeners) listener(method ?? '', params ?? {});
    else if (result === undefined) call.reject(new Error(message));
    else call.resolve(result);
    waiting.delete(id ?? -1);
  });
  await once(socket, 'open');
  let last = 0;
  return {
    send(method, params = {}) {
      const call = Promise.withResolvers<Fields>();
      waiting.set(++last, call);
      socket.send(JSON.stringify({ id: last, method, params }));
      return call.promise;
    },
    onEvent: (listener) => listeners.push(listener),
  };
}

function createPage(context: string, send: Send, onEvent: OnEvent): FirefoxPage {
  const faults: string[] = [];
  const requested: string[] = [];
  onEvent((method, { level, text, source, request, response, ...event }) => {
    if ((source?.context ?? event.context) !== context) return;
    if (method === 'log.entryAdded' && /error|warn/.test(level ?? '')) faults.push(text ?? '');
    if (method === 'network.beforeRequestSent') requested.push(request?.url ?? '');
    if (method === 'network.responseCompleted' && (response?.status ?? 0) >= 400)
      faults.push(`${response?.status} ${request?.url}`);
  });
  const target = { context };
  const call = (functionDeclaration: string, sharedId: string) =>
    send('script.callFunction', {
      target,
      functionDeclaration,
      arguments: [{ sharedId }],
      awaitPromise: true,
    });
  const act = (...actions: readonly Fields[]) => send('input.performActions', { context, actions });

  async function find(what: Target): Promise<string> {
    const locator =
      'text' in what
        ? { type: 'xpath', value: `//body//*[text()[contains(., '${what.text}')]]` }
        : { type: 'accessibility', value: what };
    return eventually(async () => {
      const { nodes } = await send('browsingContext.locateNodes', { context, locator });
      return (nodes as { readonly sharedId: string }[])[0]?.sharedId;
    }, JSON.stringify(what));
  }

  /** Waits for an element that stays in the page and in its place for two frames: what is above it may still be on its way. */
  function findStill(what: Target): Promise<string> {
    return eventually(
      async () => {
        const sharedId = await find(what);
        const { result } = await call(IS_STILL, sharedId);
        return (result as { readonly value?: unknown } | undefined)?.value === true
          ? sharedId
          : undefined;
      },
      `still ${JSON.stringify(what)}`,
    );
  }

  return {
    faults,
    requested,
    find,
    async goto(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async text(expression) {
      const { result } = await send('script.evaluate', { target, expression, awaitPromise: true });
      return String((result as { readonly value?: unknown }).value);
    },
    async click(what) {
      const sharedId = await findStill(what);
      const origin = { type: 'element', element: { sharedId } };
      const press = { type: 'pointerDown', button: 0 };
      const actions = [
        { type: 'pointerMove', x: 0, y: 0, origin },
        press,
        { ...press, type: 'pointerUp' },
      ];
      await act({ type: 'pointer', id: 'mouse', actions });
    },
    async type(keys) {
      const down = Array.from(keys, (value) => ({ type: 'keyDown', value }));
      const actions = keys.startsWith('\uE009')
        ? [...down, ...down.map((each) => ({ ...each, type: 'keyUp' }))]
        : down.flatMap((each) => [each, { ...each, type: 'keyUp' }]);
      await act({ type: 'key', id: 'keyboard', actions });
    },
  };
}
