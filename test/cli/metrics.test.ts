// serve --admin: its counters and measurements, on a port of its own.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { UsageError } from '../../src/cli/args/parse.ts';
import { readListenAddress } from '../../src/cli/args/values.ts';
import { createLogger } from '../../src/cli/output/logger.ts';
import { processContext } from '../../src/cli/process.ts';
import { startServer } from '../../src/cli/serve/listen/listen.ts';
import { openMetrics } from '../../src/cli/serve/metrics/metrics.ts';
import {
  addMetrics,
  databaseServerMetrics,
  eventLoopMetrics,
  serviceMetrics,
} from '../../src/cli/serve/metrics/values.ts';
import { onlyFiles } from '../support/engines/engine.ts';
import { textOf } from '../support/manual/code.ts';
import { hear, portOf } from '../support/processes/serve-process.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { exchange, send, sendRaw } from '../support/wire/wire.ts';
import { leave, newFolder } from '../support/world/artifacts.ts';
import { ROOT, run, start, stop, waitFor } from '../support/world/program.ts';
import { until } from '../support/world/until.ts';
import { createWorld, memories } from '../support/world/world.ts';

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Served {
  readonly args?: readonly string[];
  /** Whether the list is long enough to wait for its reader. */
  readonly isLong?: boolean;
}

const metricsPage = textOf('docs/reference/metrics.md');

/** Serves with metrics. The scraped text must contain no key. */
async function serve(t: TestContext, { args = [], isLong = false }: Served = {}) {
  const world = await createWorld(t);
  const key = world.addAccount(
    'ana-of-the-mountains',
    isLong ? memories(30, 500_000) : memories(3),
  );
  const where = ['--port', '0', '--admin', '127.0.0.1:0', '--database', world.database];
  const child = start(['serve', ...where, ...args]);
  t.after(() => stop(child, 'SIGKILL'));
  const log = hear(child.stdout);
  const port = await portOf(child);
  const admin = Number(/"admin":"http:\/\/127\.0\.0\.1:(\d+)/.exec(log())?.[1]);
  const scrape = async () => {
    const { status, headers, text } = await send(admin, { path: '/metrics' });
    assert.equal(status, 200, text);
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    leave(text);
    return { text, samples: readSamples(text) };
  };
  /** Sums the samples of a metric with given labels. */
  const value = async (name: string, labels: Sample['labels'] = {}) =>
    sumOf((await scrape()).samples, name, labels);
  return { world, key, child, port, admin, scrape, value, log };
}

function readSamples(text: string): Sample[] {
  return Array.from(
    text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm),
    ([, name = '', labels = '', value]) => ({
      name,
      labels: Object.fromEntries(
        Array.from(labels.matchAll(/(\w+)="([^"]*)"/g), ([, label = '', of = '']) => [label, of]),
      ),
      value: Number(value),
    }),
  );
}

function sumOf(samples: readonly Sample[], name: string, labels: Sample['labels'] = {}): number {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, of]) => sample.labels[label] === of),
  );
  return found.length === 0 ? Number.NaN : found.reduce((sum, each) => sum + each.value, 0);
}

/** Returns the metrics that a text declares with their types, by name. */
function declaredIn(text: string): Map<string, string> {
  return new Map(
    Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = '', type = '']) => [name, type]),
  );
}

/** Blocks the event loop for a second. */
function block(): void {
  const ends = performance.now() + 1000;
  while (performance.now() < ends);
}

const REQUESTS = 'memory_gateway_requests_total';

describe('Metrics', () => {
  it('count requests by endpoint, method and status, and what was sent', async (t) => {
    const { key, port, scrape } = await serve(t);
    const list = await send(port, { key });
    for (const path of ['/v1/memories', '/v1/memories/m001', '/v1/memories/none', '/healthz'])
      await send(port, { key, path });
    for (const method of ['HEAD', 'POST', 'PURGE']) await send(port, { key, method });
    await send(port, {});
    const { samples } = await scrape();
    const counted = (route: string, method: string, status: string) =>
      sumOf(samples, REQUESTS, { route, method, status });
    assert.equal(counted('memories.list', 'GET', '200'), 2);
    assert.equal(counted('memories.list', 'HEAD', '200'), 1);
    assert.equal(counted('memories.get', 'GET', '200'), 1);
    assert.equal(counted('memories.get', 'GET', '404'), 1);
    assert.equal(counted('none', 'GET', '200'), 1);
    assert.equal(counted('none', 'GET', '401'), 1);
    assert.equal(counted('none', 'POST', '405'), 1);
    assert.equal(counted('none', 'other', '405'), 1);
    assert.equal(sumOf(samples, REQUESTS), 9);
    const sent = 'memory_gateway_sent_bytes_total';
    assert.equal(sumOf(samples, sent, { route: 'memories.list' }), 2 * list.body.length);
    assert.equal(sumOf(samples, sent, { route: 'changes.list' }), 0, 'what never came is 0');
    const seconds = 'memory_gateway_request_duration_seconds';
    const of = { route: 'memories.list' };
    assert.equal(sumOf(samples, `${seconds}_count`, of), 3);
    assert.equal(sumOf(samples, `${seconds}_bucket`, { ...of, le: '+Inf' }), 3);
    assert.ok(sumOf(samples, `${seconds}_sum`, of) > 0);
  });

  it('count what was refused before there was a request, by each status that the manual names', async (t) => {
    const timeouts = ['--head-timeout', '1s', '--request-timeout', '1s'];
    const { port, scrape, value } = await serve(t, {
      args: [...timeouts, '--max-connections', '2'],
    });
    const refused = 'memory_gateway_refused_total';
    const cases = {
      400: 'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
      408: 'GET / HTTP/1.1\r\nHost: x\r\n',
      431: `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      501: 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n',
    };
    for (const [status, bytes] of Object.entries(cases)) {
      assertFailure(await sendRaw(port, bytes), Number(status));
      assert.equal(await value(refused, { status }), 1, status);
    }
    for (let i = 0; i < 2; i++) {
      const held = connect(port, '127.0.0.1').on('error', () => {});
      t.after(() => held.destroy());
      await once(held, 'connect');
    }
    assertFailure(await sendRaw(port, ''), 503);
    const { samples } = await scrape();
    const counted = samples.filter(({ name }) => name === refused);
    const named = /`memory_gateway_refused_total`.*/.exec(metricsPage)?.[0].match(/\b[45]\d\d\b/g);
    assert.deepEqual(new Set(counted.map(({ labels }) => labels['status'])), new Set(named));
    assert.ok(counted.every((each) => each.value === 1));
    assert.equal(sumOf(samples, REQUESTS), Number.NaN, 'none was a request');
  });

  it('and health checks are served on the admin port while all connections are taken', async (t) => {
    const { port, admin } = await serve(t, { args: ['--max-connections', '2'] });
    for (let i = 0; i < 2; i++) {
      const held = connect(port, '127.0.0.1').on('error', () => {});
      t.after(() => held.destroy());
      await once(held, 'connect');
    }
    assertFailure(await sendRaw(port, ''), 503);
    for (const path of ['/healthz', '/readyz', '/metrics'])
      assert.equal((await send(admin, { path })).status, 200, path);
  });

  it('count a refused expectation among the requests', async (t) => {
    const { port, value } = await serve(t);
    assertFailure(await send(port, { headers: { expect: 'a-pony' } }), 417);
    assert.equal(await value(REQUESTS, { status: '417' }), 1);
    assert.equal(await value('memory_gateway_refused_total'), Number.NaN);
  });

  it('count responses that broke off', async (t) => {
    const { key, port, value } = await serve(t, { isLong: true });
    assert.equal(await value('memory_gateway_broken_total'), 0);
    const headers = { 'x-api-key': key };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, host: '127.0.0.1', path: '/v1/memories', headers, agent: false }, resolve).on(
        'error',
        reject,
      );
    });
    assert.equal(await value('memory_gateway_connections'), 1);
    answer.destroy();
    const broken = () => value('memory_gateway_broken_total', { route: 'memories.list' });
    await until(async () => (await broken()) === 1);
    await until(async () => (await value('memory_gateway_connections')) === 0);
  });

  it('measure the cache, the database, its log and the process', { skip: onlyFiles }, async (t) => {
    const { world, key, port, value, scrape } = await serve(t);
    for (let i = 0; i < 3; i++) await send(port, { key, path: '/v1/memories/m001' });
    const { samples } = await scrape();
    const of = (name: string) => sumOf(samples, name);
    assert.equal(of('memory_gateway_cache_hits_total'), 2);
    assert.equal(of('memory_gateway_cache_misses_total'), 1);
    assert.equal(of('memory_gateway_cache_entries'), 1);
    assert.ok(of('memory_gateway_cache_bytes') > 0);
    assert.ok(of('memory_gateway_database_bytes') > 4096);
    const wal = of('memory_gateway_wal_bytes');
    world.writer.memories.putAll('ana-of-the-mountains', memories(50, 10_000));
    assert.ok((await value('memory_gateway_wal_bytes')) > wal);
    for (const name of ['ready', 'build_info']) assert.equal(of(`memory_gateway_${name}`), 1, name);
    assert.ok(of('process_cpu_seconds_total') > 0);
    assert.ok(of('process_resident_memory_bytes') > 1e7);
    const started = of('process_start_time_seconds');
    // The server is this process, in which other files may have run for minutes before, or one that it started.
    const now = Date.now() / 1000;
    assert.ok(started > now - process.uptime() - 1 && started < now, `${started} at ${now}`);
  });

  it(
    'measure the log of the file that a link leads to, and are there when nothing can be looked at',
    { skip: onlyFiles },
    async (t) => {
      const world = await createWorld(t);
      world.addAccount('ana', memories(50, 10_000));
      const link = join(newFolder(), 'link.db');
      symlinkSync(world.database, link);
      const read = async () => {
        const registry = new prom.Registry();
        addMetrics({ prom, registry }, serviceMetrics(link));
        return readSamples(await registry.metrics());
      };
      const prom = await import('prom-client');
      const before = await read();
      const wal = statSync(`${world.database}-wal`).size;
      assert.ok(wal > 0);
      assert.equal(sumOf(before, 'memory_gateway_wal_bytes'), wal);
      assert.equal(sumOf(before, 'memory_gateway_database_bytes'), statSync(world.database).size);
      rmSync(link);
      symlinkSync(link, link); // a symbolic link to itself, which fails like a folder without access
      const after = await read();
      assert.equal(sumOf(after, 'memory_gateway_wal_bytes'), 0);
      assert.equal(sumOf(after, 'memory_gateway_database_bytes'), Number.NaN, 'no sample');
      assert.equal(sumOf(after, 'memory_gateway_build_info'), 1);
    },
  );

  it('tell nothing of who asks, nor for what', async (t) => {
    const { key, port, scrape } = await serve(t);
    const secret = 'mem_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz';
    for (const path of ['/v1/memories/m001', '/v1/memories?q=fridge', `/${secret}?a=${secret}`])
      await send(port, { key, path });
    await send(port, {
      key: secret,
      path: '/v1/changes',
      headers: { 'x-forwarded-for': '203.0.113.7' },
    });
    const { text, samples } = await scrape();
    assert.doesNotMatch(text, /mem_[0-9A-Za-z]{8}|ana-of|m001|fridge|203\.0|\/v1|127\.0/);
    const values = samples.flatMap((sample) => Object.values(sample.labels));
    assert.ok(!values.some((value) => value.includes(key.slice(-4))));
    const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
    const known = ['route', 'method', 'status', 'le', 'version', 'node', 'sqlite'];
    assert.deepEqual(labels, new Set(onlyFiles ? [...known, 'server'] : known));
  });

  it('report the event loop delay since the last scrape', async () => {
    const loop = eventLoopMetrics();
    const late = () => Number(loop.metrics.find(({ name }) => name.includes('max'))?.read());
    await sleep(60);
    block();
    await until(async () => late() > 0);
    const values = loop.metrics.map(({ read }) => Number(read()));
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
      'p50, p99 and the most',
    );
    loop.reset();
    assert.equal(late(), 0);
  });

  it('are what Prometheus takes', async (t) => {
    if (spawnSync('promtool', ['--version']).status !== 0)
      return t.skip('needs promtool, of the package prometheus, which is too large for CI');
    const { key, port, scrape } = await serve(t);
    await send(port, { key });
    await send(port, {});
    const { text } = await scrape();
    assert.equal(execFileSync('promtool', ['check', 'metrics'], { input: text }).toString(), '');
  });
});

describe('The admin server', () => {
  it('serves probes and metrics, compressed if requested, and nothing else', async (t) => {
    const { admin, key } = await serve(t);
    assert.equal((await send(admin, { path: '/healthz' })).text, '{"status":"up"}');
    assert.equal((await send(admin, { path: '/readyz' })).text, '{"status":"ready"}');
    const headers = { 'accept-encoding': 'gzip' };
    const packed = await send(admin, { path: '/metrics', headers });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    const head = await send(admin, { path: '/metrics', method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    for (const path of ['/', '/v1', '/v1/', '/docs', '/openapi.json', '/metrics/', '/__proto__']) {
      const answer = await send(admin, { path, key });
      assert.equal(answer.status, 404, path);
      assert.match(answer.text, /^\{"detail":"[^"]+\."\}$/);
    }
    assertFailure(await send(admin, { path: '/metrics', method: 'POST' }), 405);
    const closed = 'Connection: close\r\n\r\n';
    assertFailure(await sendRaw(admin, `GET /metrics HTTP/1.1\r\n${closed}`), 400);
    const twoHosts = `GET /metrics HTTP/1.1\r\nHost: a\r\nHost: b\r\n${closed}`;
    assertFailure(await sendRaw(admin, twoHosts), 400);
    assertFailure(await sendRaw(admin, `GET /metrics HTTP/2.0\r\nHost: a\r\n${closed}`), 505);
  });

  it("tells who probes whether it is ready, and leaves the event loop's lag to who scrapes", async (t) => {
    const world = await createWorld(t);
    const log = await createLogger(processContext.stderr, { level: 'warn' });
    const { database } = world;
    const where = { host: '127.0.0.1', port: 0 };
    const admin = await openMetrics(where, { database, log });
    t.after(admin.close);
    const port = Number(new URL(admin.url).port);
    const probe = async () => (await send(port, { path: '/readyz' })).status;
    assert.equal(await probe(), 503, 'nothing is served yet');
    const listening = await startServer({ ...where, database, log });
    t.after(() => listening.server.close());
    admin.watch(listening);
    assert.equal(await probe(), 200);
    const lag = async () => {
      const { text } = await send(port, { path: '/metrics' });
      return sumOf(readSamples(text), 'memory_gateway_event_loop_lag_max_seconds');
    };
    await sleep(60);
    block();
    for (let i = 0; i < 3; i++) assert.equal(await probe(), 200);
    const first = await lag();
    assert.ok(first > (await lag()), 'what is told once is told by the first scrape');
    await listening.stop();
    assert.equal(await probe(), 503);
  });

  it('stays up until everything else has ended, and reports the shutdown', async (t) => {
    const { child, key, port, admin, scrape, value } = await serve(t, { isLong: true });
    const reading = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'x-api-key': key };
      get({ port, host: '127.0.0.1', path: '/v1/memories', headers, agent: false }, resolve).on(
        'error',
        reject,
      );
    });
    assert.equal(await value('memory_gateway_ready'), 1);
    child.kill('SIGTERM');
    await waitFor(child, 'stdout', /"stopping"/);
    await until(async () => (await send(admin, { path: '/readyz' })).status === 503);
    const { samples } = await scrape();
    assert.equal(sumOf(samples, 'memory_gateway_ready'), 0);
    assert.equal(sumOf(samples, 'memory_gateway_connections'), 1);
    assert.equal((await send(admin, { path: '/healthz' })).status, 200);
    const ended = once(child, 'close');
    reading.resume();
    assert.deepEqual(await ended, [0, null]);
    await assert.rejects(send(admin, { path: '/healthz' }), { code: 'ECONNREFUSED' });
  });

  it('is refused in one sentence if its port is in use, and leaves nothing open', async (t) => {
    const world = await createWorld(t);
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    t.after(() => taken.close());
    const { port } = taken.address() as { port: number };
    const where = ['--database', world.database, '--port', '0'];
    const { code, stdout, stderr } = await run(['serve', ...where, '--admin', `${port}`]);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.equal(
      stderr,
      `memory-gateway: Port ${port} on 127.0.0.1 is in use; choose another with --admin.\n`,
    );
  });

  it('ends where the service cannot begin', async (t) => {
    const world = await createWorld(t);
    const where = ['--database', world.database, '--port', `${world.port}`];
    const { code, stderr } = await run(['serve', ...where, '--admin', '0']);
    assert.equal(code, 1);
    assert.match(stderr, /is in use; choose another with --port\.\n$/);
  });

  it('listens on this machine itself, unless told otherwise', () => {
    const places = {
      '9464': { host: '127.0.0.1', port: 9464 },
      ':9464': { host: '127.0.0.1', port: 9464 },
      '0.0.0.0:9464': { host: '0.0.0.0', port: 9464 },
      'metrics.internal:0': { host: 'metrics.internal', port: 0 },
      '[::1]:9464': { host: '::1', port: 9464 },
      '[fd00::2]:65535': { host: 'fd00::2', port: 65_535 },
    };
    for (const [text, place] of Object.entries(places))
      assert.deepEqual(readListenAddress('admin', text), place, text);
    const wrong = [
      '',
      'x',
      '::1:9464',
      '[::1]',
      '65536',
      'a:b',
      '[x]:1',
      '[1.2.3.4]:1',
      'a b:1',
      '-1',
    ];
    for (const text of wrong)
      assert.throws(() => readListenAddress('admin', text), UsageError, text);
  });
});

describe('What is shown of metrics', () => {
  const dashboard = readFileSync(join(ROOT, 'scripts/deploy/grafana.json'), 'utf8');

  it('is in the manual: every metric, its type and its labels, and no other', async (t) => {
    const { key, port, scrape } = await serve(t);
    await send(port, { key });
    await exchange(port, 'GET / HTTP/1.1\r\nHost : x\r\n\r\n');
    const { text, samples } = await scrape();
    const rows = metricsPage.matchAll(
      /^\| `((?:memory_gateway|process)_\w+)` \| (\w+) \| (.*?) \|/gm,
    );
    const told = new Map(
      Array.from(rows, ([, name = '', type, labels = '']) => [
        name,
        { type, labels: Array.from(labels.matchAll(/`(\w+)`/g), ([, label]) => label) },
      ]),
    );
    const declared = declaredIn(text);
    assert.deepEqual([...told.keys()].toSorted(), [...declared.keys()].toSorted());
    for (const [name, type] of declared) {
      assert.equal(told.get(name)?.type, type, name);
      if (name.startsWith('memory_gateway_server_') && onlyFiles === false) continue; // a file has none
      const own = samples.find((sample) => sample.name === name || sample.name === `${name}_count`);
      assert.deepEqual(told.get(name)?.labels, Object.keys(own?.labels ?? {}), name);
    }
    assert.ok(declared.size > 20);
  });

  it('has each PostgreSQL server under its name, and no lag while it is unknown', async () => {
    const prom = await import('prom-client');
    const registry = new prom.Registry();
    const plain = {
      connections: 2,
      idle: 1,
      waiting: 0,
      isUsed: true,
      reads: 5,
      failed: 0,
      behind: 0,
    };
    const servers = [
      { ...plain, name: 'primary', lagMs: 0 },
      { ...plain, name: 'replica-1', lagMs: undefined, isUsed: false, behind: 3 },
    ];
    const cache = { hits: 0, misses: 0, entries: 0, bytes: 0 };
    addMetrics({ prom, registry }, databaseServerMetrics({ stats: () => ({ cache, servers }) }));
    const samples = readSamples(await registry.metrics());
    const of = (name: string) =>
      servers.map((server) =>
        sumOf(samples, `memory_gateway_server_${name}`, { server: server.name }),
      );
    assert.deepEqual(of('used'), [1, 0]);
    assert.deepEqual(of('reads_total'), [5, 5]);
    assert.deepEqual(of('behind_total'), [0, 3]);
    assert.deepEqual(of('lag_seconds'), [0, Number.NaN]);
  });

  it('is drawn by the dashboard from metrics that are there, all of them', async (t) => {
    const { scrape } = await serve(t);
    const declared = declaredIn((await scrape()).text);
    const { panels, templating, schemaVersion } = JSON.parse(dashboard);
    type Panel = { title: string; datasource: unknown; targets: { expr: string }[] };
    const shown = panels as Panel[];
    const queried = new Set<string>();
    for (const { title, datasource, targets } of shown.filter((panel) => 'targets' in panel)) {
      assert.deepEqual(datasource, { type: 'prometheus', uid: '${datasource}' }, title);
      for (const { expr } of targets)
        for (const [name] of expr.matchAll(/\b(?:memory_gateway|process)_\w+/g)) {
          const [, bare = name] = /^(.*_seconds)_(?:bucket|sum|count)$/.exec(name) ?? [];
          const isHistogram = bare !== name;
          assert.equal(declared.get(bare) === 'histogram', isHistogram, `${title}: ${name}`);
          assert.ok(declared.has(bare), `${title}: ${name}`);
          queried.add(bare);
        }
    }
    assert.deepEqual(
      [...declared.keys()].filter((name) => !queried.has(name)),
      [],
    );
    assert.ok(schemaVersion >= 39);
    const variables = templating.list as { name: string; type: string; query: string }[];
    assert.deepEqual(
      variables.map(({ name, type }) => [name, type]),
      [
        ['datasource', 'datasource'],
        ['job', 'query'],
      ],
    );
  });

  it('is watched by alert rules on metrics that are there, each with advice, and the manual has each rule', async (t) => {
    const { scrape } = await serve(t);
    const declared = declaredIn((await scrape()).text);
    const text = readFileSync(join(ROOT, 'scripts/deploy/alerts.yaml'), 'utf8');
    const page = readFileSync(join(ROOT, 'docs/howto/monitor.md'), 'utf8');
    const rules = text.split('- alert: ').slice(1);
    assert.ok(rules.length >= 5);
    for (const rule of rules) {
      const [name = ''] = rule.split('\n');
      const [, expression = ''] = /^ {8}expr: (.+)$/m.exec(rule) ?? [];
      const metrics = expression.match(/\bmemory_gateway_\w+/g) ?? [];
      for (const metric of metrics) assert.ok(declared.has(metric), `${name}: ${metric}`);
      assert.ok(metrics.length > 0 || expression.startsWith('up{'), name);
      assert.match(rule, /^ {8}for: \d+[mh]$/m, name);
      assert.match(rule, /^ {10}severity: (critical|warning)$/m, name);
      assert.match(rule, /^ {10}summary: [A-Z].*\.$/m, name);
      assert.ok(page.includes(`| \`${name}\` |`), name);
    }
  });

  it('is put where the panels of the dashboard do not overlap', () => {
    type At = { gridPos: { x: number; y: number; w: number; h: number }; id: number };
    const { panels } = JSON.parse(dashboard) as { panels: At[] };
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const taken = new Set<string>();
    for (const {
      gridPos: { x, y, w, h },
    } of panels)
      for (let i = x; i < x + w; i++)
        for (let j = y; j < y + h; j++) {
          assert.ok(i < 24 && !taken.has(`${i} ${j}`), `${i} ${j}`);
          taken.add(`${i} ${j}`);
        }
  });
});
