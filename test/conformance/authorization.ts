// The suite for authorization servers, on `serve --connect` as a process. The suite is the client, and this file the owner's browser.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { ROOT } from '../../scripts/bundling.ts';
import { freePort } from '../support/world/free-port.ts';

/** What the suite runs on. */
export interface Place {
  readonly database: string;
  readonly account: string;
  /** The file of the suite. */
  readonly suite: string;
}

/** How many checks each scenario has. All have to pass: the suite counts a warning as neither passed nor failed. */
const SCENARIOS = { 'authorization-server-metadata-endpoint': 2, 'authorization-code-grant': 1 };

/** Runs the suite. Returns a line for each scenario that failed. */
export async function judgeAuthorization({ database, account, suite }: Place): Promise<string[]> {
  const [port, callback] = [await freePort(), await freePort()];
  const base = `http://127.0.0.1:${port}`;
  const serve = ['serve', '--connect', '--base-url', base, '--port', String(port)];
  const server = program(database, serve);
  try {
    await hear(server.stdout).line(/"listening"/);
    const cookie = await signIn(
      base,
      await text(program(database, signInTo(account, base)).stdout),
    );
    const client = await register(base, `http://127.0.0.1:${callback}/callback`);
    const issuer = ['--url', `${base}/oauth`, '--resource', `${base}/mcp/connect`];
    const as = ['--client-id', client, '--port', String(callback)];
    const child = spawn(process.execPath, [suite, 'authorization', ...issuer, ...as], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 60_000,
    });
    const heard = hear(child.stdout);
    await allow({ base, account }, await heard.line(/^http.*\/oauth\/authorize\?/), cookie);
    return judge(await heard.all());
  } finally {
    server.kill();
    await once(server, 'close');
  }
}

function program(database: string, args: readonly string[]) {
  const words = [join(ROOT, 'src/cli/main.ts'), ...args, '--database', database];
  return spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
}

const signInTo = (account: string, base: string) => ['sign-in', account, '--base-url', base];

/** Collects what a program prints. */
function hear(stream: Readable) {
  let said = '';
  stream.setEncoding('utf8').on('data', (part: string) => (said += part));
  const ended = once(stream, 'end');
  return {
    /** Waits for a whole line. */
    async line(wanted: RegExp): Promise<string> {
      for (;;) {
        const found = said
          .split('\n')
          .slice(0, -1)
          .find((line) => wanted.test(line));
        if (found !== undefined) return found;
        if (stream.readableEnded) throw new Error(`The program has printed no ${wanted}: ${said}`);
        await Promise.race([once(stream, 'data'), ended]);
      }
    },
    async all(): Promise<string> {
      await ended;
      return said;
    },
  };
}

/** Sends JSON as a page of the app does. */
async function post(url: string, body: object, cookie = ''): Promise<IncomingMessage> {
  const { origin } = new URL(url);
  const headers = { origin, 'content-type': 'application/json', cookie };
  const sent = request(url, { method: 'POST', headers }).end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** Signs in by a link, and returns the cookie of the session. */
async function signIn(base: string, link: string): Promise<string> {
  const secret = new URL(link.trim()).hash.slice(1);
  const { statusCode, headers } = await post(`${base}/app/v1/sessions`, { way: 'link', secret });
  assert.equal(statusCode, 204);
  return (headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ');
}

/** Registers a client, and returns its id. */
async function register(base: string, redirect: string): Promise<string> {
  const about = { client_name: 'Conformance suite', redirect_uris: [redirect] };
  const response = await post(`${base}/oauth/register`, about);
  assert.equal(response.statusCode, 201);
  return JSON.parse(await text(response)).client_id;
}

/** Follows an authorization request to the owner's page, allows it, and goes back to the client. */
async function allow(
  { base, account }: { readonly base: string; readonly account: string },
  url: string,
  cookie: string,
): Promise<void> {
  const led = await fetch(url, { redirect: 'manual' });
  const page = new URL(led.headers.get('location') ?? '', url);
  assert.equal(page.origin + page.pathname, `${base}/app/consent`);
  const choice = { account, reads: 'all', started_after: null, started_before: null, days: 30 };
  const query = page.search.slice(1);
  const allowed = await post(`${base}/app/v1/consents`, { query, ...choice }, cookie);
  assert.equal(allowed.statusCode, 200);
  await fetch(JSON.parse(await text(allowed)).location);
}

function judge(output: string): string[] {
  const summary = output.split('=== SUMMARY ===')[1] ?? '';
  const wrong = Object.entries(SCENARIOS).filter(
    ([name, checks]) => !summary.includes(`✓ ${name}: ${checks} passed, 0 failed`),
  );
  const all = Object.keys(SCENARIOS).length;
  process.stdout.write(`authorization server: ${all - wrong.length} of ${all} scenarios pass\n`);
  return wrong.map(([name]) => `authorization server: ${name}\n${output.slice(-3000)}`);
}
