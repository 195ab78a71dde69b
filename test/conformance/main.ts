// npm run test:mcp: the protocol's conformance suite, its inspector and an old client, on the server for agents and on connectors. They install themselves.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import {
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { ROOT } from '../../scripts/bundling.ts';
import { createMcpHandler } from '../../src/agents/http.ts';
import { openGateway } from '../../src/gateway/open.ts';
import { createServer as createGatewayServer } from '../../src/gateway/server/server.ts';
import { judgeAuthorization } from './authorization.ts';
import { createFixtureServer } from './fixtures.ts';
import { tryOldClient } from './old-client.ts';

const HERE = join(ROOT, 'test/conformance/suite');
const BIN = join(HERE, 'node_modules/.bin');
const REVISIONS = ['2025-11-25', '2026-07-28'];

/**
 * Scenarios of the older revision in which the server sends a request to the client in the middle of a
 * call. The client's response is a POST of its own, so it reaches the call only by a session, which a
 * stateless endpoint does not have. Our tools ask nothing. In the newer revision such questions are
 * results (`input_required`), and all scenarios about them pass.
 */
const NEEDS_SESSION = new Set([
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
]);

/**
 * Checks that fail on purpose: the acknowledgement of a subscription, and its id. There are no
 * subscriptions, because the bus of the SDK would tell one account about the writes of another.
 */
const REFUSED: Readonly<Record<string, number>> = { 'server-stateless': 2 };

/** Scenarios that need no fixtures, which our own tools pass as well. */
const WITHOUT_FIXTURES = new Set([
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
  'server-sse-multiple-streams',
  'sep-2164-resource-not-found',
  'caching',
]);

if (!existsSync(BIN))
  spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: HERE,
    stdio: 'inherit',
  });

const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-conformance-'));
const failures: string[] = [];
const servers: Server[] = [];
try {
  const { key, database } = makeDatabase();
  const gateway = openGateway({ database });
  const { url: own } = await listen(createGatewayServer(gateway.listener));
  const ours = `${(await listen(createServer(withKey(own, key)))).url}/mcp`;
  const fixtures = `${(await listen(createServer(serveFixtures()))).url}/mcp`;
  for (const revision of REVISIONS) {
    await judge(`fixtures, ${revision}`, fixtures, revision, (name) => !NEEDS_SESSION.has(name));
    await judge(`our tools, ${revision}`, ours, revision, (name) => WITHOUT_FIXTURES.has(name));
  }
  for (const era of ['modern', 'legacy']) await inspect(`${own}/mcp`, key, era);
  failures.push(...(await tryOldClient({ url: `${own}/mcp`, key, database })));
  const suite = join(BIN, 'conformance');
  failures.push(...(await judgeAuthorization({ database, account: 'mira', suite })));
  for (const server of servers) server.closeAllConnections();
  await gateway.close();
} finally {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
}
if (failures.length > 0) {
  process.stderr.write(`${failures.join('\n')}\n`);
  process.exitCode = 1;
}

function makeDatabase() {
  const database = join(folder, 'mine.db');
  const program = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'src/cli/main.ts'), ...args, '--database', database], {
      encoding: 'utf8',
    }).stdout.trim();
  program('migrate');
  program('accounts', 'create', 'Mira', '--id', 'mira');
  program(
    'import',
    join(ROOT, 'fixtures/memories/mira.json'),
    '--account',
    'mira',
    '--format',
    'memory',
  );
  return { database, key: program('keys', 'create', '--account', 'mira') };
}

async function listen(server: Server): Promise<{ url: string }> {
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Adds the key, which the suite cannot send, to each request. */
function withKey(url: string, key: string): RequestListener {
  return (asked, response) => {
    const { method, headers } = asked;
    const passed = request(url + (asked.url ?? ''), {
      method: method ?? 'GET',
      headers: { ...headers, authorization: `Bearer ${key}` },
    });
    passed.on('response', (got) => {
      response.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(response);
    });
    passed.on('error', () => response.destroy());
    asked.pipe(passed);
  };
}

/** Serves the fixtures by the entry point for agents, with its checks of the origin. */
function serveFixtures(): RequestListener {
  const handle = createMcpHandler(createFixtureServer);
  const answer = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { origin = 'http://localhost', host = '' } = asked.headers;
    const isLocal = [new URL(origin).host, host].every((each) =>
      /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(each),
    );
    if (!isLocal || asked.method !== 'POST') {
      response.writeHead(isLocal ? 405 : 403).end();
      return;
    }
    const { status, type, body } = await handle(
      {
        body: Buffer.from(await text(asked)),
        headers: Object.fromEntries(
          Object.entries(asked.headers).map(([name, value]) => [name, String(value)]),
        ),
        signal: new AbortController().signal,
      },
      {
        context: () => {
          throw new Error('no tool of ours');
        },
        report: (error) => {
          throw error;
        },
        onCall: () => {},
      },
    );
    response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body);
  };
  return (asked, response) => void answer(asked, response);
}

/** Runs the suite, and notes each scored scenario with a failed check. */
async function judge(
  title: string,
  url: string,
  revision: string,
  counts: (name: string) => boolean,
) {
  const { output } = await run('conformance', ['server', '--url', url, '--requirements', revision]);
  const [summary = '', unscored = ''] = (output.split('=== SUMMARY ===')[1] ?? '').split(
    'Not scored',
  );
  const rows = [...summary.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gmu)];
  const ignored = new Set(Array.from(unscored.matchAll(/^ +[✓✗] ([\w-]+)/gmu), ([, name]) => name));
  const scored = rows.filter(([, , name = '']) => counts(name) && !ignored.has(name));
  const failed = scored.filter(
    ([, , name = '', , wrong]) => Number(wrong) !== (REFUSED[name] ?? 0),
  );
  process.stdout.write(
    `${title}: ${scored.length - failed.length} of ${scored.length} scenarios pass\n`,
  );
  if (scored.length < 5)
    failures.push(`${title}: the suite has no summary:\n${output.slice(-2000)}`);
  for (const [row, , name = ''] of failed) {
    const details =
      output.split(`=== Running scenario: ${name} ===`)[1]?.split('=== Running')[0] ?? '';
    failures.push(`${title}: ${row}\n${details.slice(0, 1500)}`);
  }
}

async function inspect(url: string, key: string, era: string) {
  const { code, output } = await run('mcp-inspector', [
    '--cli',
    '--server-url',
    url,
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${key}`,
    '--protocol-era',
    era,
    '--method',
    'tools/list',
    '--strict',
  ]);
  process.stdout.write(
    `inspector --strict, ${era}: ${code === 0 ? 'nothing found' : `exit ${code}`}\n`,
  );
  if (code !== 0) failures.push(output.slice(-2000).replaceAll(key, 'KEY'));
}

async function run(name: string, args: readonly string[]) {
  const file = join(HERE, 'node_modules/.bin', name);
  const child = spawn(process.execPath, [file, ...args], { cwd: folder, timeout: 60_000 });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, output: stdout + stderr };
}
