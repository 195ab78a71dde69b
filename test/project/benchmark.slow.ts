// The benchmark: its statistics, its data, and that it compares equal work.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';
import * as v from 'valibot';

import {
  asking,
  bare,
  bareAsModule,
  CACHED,
  FLOOR,
  OURS,
  requireSame,
  UNCACHED,
  VARIANTS,
  type Contestant,
} from '../../scripts/bench/contestants.ts';
import { prepareData, type Data } from '../../scripts/bench/data.ts';
import { importers, importing, runImports, type Importer } from '../../scripts/bench/imports.ts';
import { runLists } from '../../scripts/bench/lists.ts';
import { hasWrk, readLoad } from '../../scripts/bench/load.ts';
import type { Samples } from '../../scripts/bench/measurement.ts';
import { ask, askUntilAnswered, READY } from '../../scripts/bench/request.ts';
import { resultOf } from '../../scripts/bench/results.ts';
import { runRounds } from '../../scripts/bench/rounds.ts';
import { withServers, type Program, type Running } from '../../scripts/bench/server.ts';
import { runStarts } from '../../scripts/bench/starts.ts';
import { spreadOf, summarise } from '../../scripts/bench/stats.ts';
import { showWork, toMarkdown } from '../../scripts/bench/table.ts';
import { Memory } from '../../src/contract/schemas/memory.ts';
import type { Stage } from '../../src/store/progress.ts';
import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { PROGRAM_WORDS } from '../support/world/program.ts';
import { createServerOn } from '../support/world/server-in-process.ts';
import { createWorld, memory } from '../support/world/world.ts';

/** The program of this run of tests: one in dist/ may be outdated. */
const [, MAIN = ''] = PROGRAM_WORDS;

function programOn(database: string): Program {
  const args = (port: number) => [MAIN, 'serve', '--database', database, '--port', String(port)];
  return { name: OURS, args };
}

/** Judges samples whose circumstances do not matter. */
const judge = (work: Parameters<typeof resultOf>[0], samples: Samples) =>
  resultOf(work, samples, { at: '', commit: '', load: '' });

const answer = (status: number, body: string) => ({ status, head: [], body: Buffer.from(body) });

describe('The statistics of the benchmark', () => {
  it('take the median, the minimum and the maximum', () => {
    assert.deepEqual(spreadOf([9, 1, 5]), { median: 5, min: 1, max: 9 });
    assert.deepEqual(spreadOf([4, 1, 2, 100]), { median: 3, min: 1, max: 100 });
  });

  it('compare each round with the floor of the same round', () => {
    const floor = [
      { cpuUs: 10, perSecond: 100 },
      { cpuUs: 30, perSecond: 50 },
    ];
    const slow = [
      { cpuUs: 20, perSecond: 50 },
      { cpuUs: 60, perSecond: 25 },
    ];
    const { cpuUs, perSecond } = summarise(slow, floor);
    assert.deepEqual(cpuUs?.value, { median: 40, min: 20, max: 60 });
    assert.deepEqual(cpuUs?.ratio, { median: 0.5, min: 0.5, max: 0.5 });
    assert.deepEqual(perSecond?.ratio, { median: 0.5, min: 0.5, max: 0.5 });
  });

  it('say which goals were reached, and how far others are behind', () => {
    const work = {
      name: 'hot',
      title: 'one memory, hot',
      targets: [
        { count: 'cpuUs', least: 0.8 },
        { count: 'peakBytes', mostBytes: 64e6 },
        { count: 'cpuUs', least: 0.5, server: UNCACHED },
        { count: 'cpuUs', timesOurs: 2, than: 'uncached', peers: ['fastify'] },
        { count: 'cpuUs', timesOurs: 3, than: 'cached' },
      ],
    } as const;
    const at = (name: string, cpuUs: number) => ({
      name,
      samples: [{ cpuUs, peakBytes: cpuUs * 1e6 }],
    });
    const result = judge(work, [
      at('bare', 40),
      at(CACHED, 50),
      at(UNCACHED, 100),
      at('fastify', 200),
      at('hono', 100),
    ]);
    assert.deepEqual(
      result.targets.map(({ server, reached }) => [server, reached]),
      [
        [CACHED, true],
        [CACHED, true],
        [UNCACHED, false],
        ['fastify', true],
        ['fastify', true],
        ['hono', false],
      ],
    );
    assert.match(
      toMarkdown([result]),
      /ours, --cache 0: fastify 2\.0, hono 1\.0\. At least 2 times: fastify: reached\. .*ours, cached: fastify 4\.0, hono 2\.0\. At least 3 times: all: not reached\.$/,
    );
    const missed = judge(work, [at('bare', 40), at(OURS, 80)]);
    assert.deepEqual(
      missed.targets.map(({ reached }) => reached),
      [false, false],
    );
    assert.match(
      showWork(missed),
      /one memory, hot\n.*\n.*CPU µs[^]*memory-gateway +80\.0 +0\.50[^]*: not reached\n.*: not reached$/,
    );
    assert.match(toMarkdown([result]), /\|  \| fastify \| 200\.0 \| 0\.20 \(0\.20–0\.20\) \|/);
  });

  it('share a table if they count the same, with the circumstances and targets of each below', () => {
    const work = (name: string) => ({ name, title: name, targets: [] });
    const at = { at: '2026-11-28 03:00 UTC', commit: 'abc', load: 'load average 1.0 before' };
    const counted = (name: string, samples: Samples) => resultOf(work(name), samples, at);
    const one = [{ name: 'bare', samples: [{ cpuUs: 1 }] }];
    const other = [{ name: 'sqlite3', samples: [{ memoriesPerSecond: 9 }] }];
    const text = toMarkdown([counted('hot', one), counted('import', other), counted('304', one)]);
    assert.equal(
      text,
      [
        '|  |  | CPU µs | ratio |',
        '| --- | --- | ---: | ---: |',
        '| `hot` | bare | 1.0 | 1.00 |',
        '| `304` | bare | 1.0 | 1.00 |',
        '',
        '|  |  | memories/s | ratio |',
        '| --- | --- | ---: | ---: |',
        '| `import` | sqlite3 | 9 | 1.00 |',
        '',
        ...['hot', 'import', '304'].map(
          (name) => `- \`${name}\`: 2026-11-28 03:00 UTC, commit abc, load average 1.0 before.`,
        ),
      ].join('\n'),
    );
  });

  it('compare others with the gateway within each round', () => {
    const work = { name: 'hot', title: 'one memory, hot', targets: [] };
    const at = (name: string, ...rounds: number[]) => ({
      name,
      samples: rounds.map((cpuUs) => ({ cpuUs })),
    });
    const { servers } = judge(work, [
      at('bare', 5, 5, 5),
      at(CACHED, 10, 20, 40),
      at('hono', 40, 60, 80),
    ]);
    assert.deepEqual(servers[2]?.timesOurs?.cached, { median: 3, min: 2, max: 4 });
    assert.equal(servers[1]?.timesOurs, undefined);
  });

  it('read the last output of the load generator, and refuse missing values', () => {
    const seen = { requests: 9, seconds: 1, p50Ms: 1, p99Ms: 2, refused: 0, broken: 0 };
    assert.deepEqual(readLoad(`Running …\n\n${JSON.stringify(seen)}\n`), seen);
    for (const said of ['', 'unable to connect', JSON.stringify({ ...seen, requests: 0 })])
      assert.throws(() => readLoad(said), /measured nothing/);
    assert.throws(() => readLoad(JSON.stringify({ ...seen, broken: 3 })), /3 connections broke/);
  });
});

describe('The data of the benchmark', () => {
  it('is a file of valid memories, nearly in the order of time, and the same in a plain table', async () => {
    const [data] = await prepareData([[2500, 1000]], { folder: newFolder() });
    const { memories, findings } = await verifyFile(String(data?.path));
    const ours = findings.filter((finding) => !finding.includes(' plain_'));
    assert.deepEqual([memories, ours], [3500, []]);
    const db = new Database(data?.path, { readonly: true });
    const rows = db
      .prepare('SELECT account_id, id, started_at, body FROM memories ORDER BY pk')
      .all() as { account_id: string; id: string; started_at: number; body: Buffer }[];
    const changes = db.prepare('SELECT count(*) FROM changes').pluck().get();
    const plain = db.prepare('SELECT * FROM plain_memories').all() as { id: string }[];
    db.close();
    const [first] = rows;
    assert.equal(data?.account, first?.account_id);
    assert.equal(rows.filter(({ account_id }) => account_id === first?.account_id).length, 2500);
    assert.deepEqual([rows.length, changes], [3500, 3500]);
    for (const { body, id, account_id, started_at } of rows) {
      const found = v.parse(Memory, JSON.parse(body.toString()));
      assert.deepEqual(
        [found.id, found.user_id, Date.parse(found.started_at)],
        [id, account_id, started_at],
      );
    }
    assert.equal(new Set(rows.map(({ id, account_id }) => account_id + id)).size, 3500);
    const copied = JSON.parse(String(rows.find(({ id }) => id === plain[0]?.id)?.body)) as Memory;
    const { user_id: account_id, is_processing: _, summary, ...rest } = copied;
    const key_takeaways = JSON.stringify(summary.key_takeaways);
    const { quick_summary } = summary;
    const expected = { ...rest, account_id, is_processing: 0, quick_summary, key_takeaways };
    assert.deepEqual({ ...plain[0] }, expected);
  });

  it('is created once, completely or not at all, with a new key each time', async (t) => {
    const folder = newFolder();
    const left = ['schema2-1000.db.new', 'schema1-1000.db'];
    for (const name of left) writeFileSync(join(folder, name), 'left by a run that was killed');
    const made: number[] = [];
    const stage: Stage = async (_, work) => work((count) => void made.push(count));
    const [first] = await prepareData([[1100]], { folder, stage });
    assert.equal(made.at(-1), 1100);
    for (const name of left) assert.ok(!existsSync(join(folder, name)), name);
    made.length = 0;
    const [second] = await prepareData([[1100]], { folder, stage });
    assert.deepEqual(made, []);
    assert.deepEqual(second?.ids(1100), first?.ids(1100));
    assert.equal(new Set(first?.ids(1100)).size, 1100);
    const { port } = await createServerOn(t, String(first?.path));
    for (const { key, ids } of [first, second] as Data[]) {
      const path = `/v1/memories/${ids(1)[0]}`;
      assert.equal((await ask(port, asking({ key: issued(key) }, path))).status, 200);
    }
  });
});

describe('A comparison of the benchmark', () => {
  it("is fair: the bare server sends the gateway's response, header for header, in each mode", async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [memory({ id: 'a', transcript: 'Ä “ö” 👩‍👩‍👧' })]);
    const folder = newFolder();
    const request = asking({ key }, '/v1/memories/a');
    const plain = ({ head }: { head: readonly string[] }) => {
      const names = head.map((each, i) => (i % 2 === 0 ? each.toLowerCase() : each));
      return names.filter((_, i) => names[i - (i % 2)] !== 'date');
    };
    await withServers([programOn(world.database)], async ([own]) => {
      const expected = await askUntilAnswered(own as Running, request);
      assert.equal(expected.status, 200);
      const servers = VARIANTS.map((variant, i) => {
        const note = join(folder, `${i}.json`);
        return { variant, program: bare(expected, { note, variant }) };
      });
      const asModule = bareAsModule({ note: join(folder, '0.json') });
      for (const { variant, program } of [
        ...servers,
        { variant: asModule.name, program: asModule },
      ])
        await withServers([program], async ([server]) => {
          const found = await askUntilAnswered(server as Running, request);
          requireSame({ ...program, request }, found, expected);
          assert.deepEqual(new Set(plain(found)), new Set(plain(expected)), variant);
          const { cpuUs, residentBytes, peakBytes } = await (server as Running).meter();
          assert.ok(cpuUs > 1000 && residentBytes > 1e6 && peakBytes >= residentBytes * 0.9);
        });
    });
  });

  it('is refused if the responses differ', () => {
    const request = READY;
    const at = (name: string, unwrap?: Contestant['unwrap']) =>
      ({ name, args: () => [], request, ...(unwrap && { unwrap }) }) as Contestant;
    const expected = answer(200, '{"id":"a","name":"b"}');
    const other = answer(200, '{"name":"b","id":"a"}');
    requireSame(at('fastify'), other, expected);
    requireSame(
      at('trpc', (json) => (json as { data: unknown }).data),
      answer(200, '{"data":{"id":"a","name":"b"}}'),
      expected,
    );
    for (const [name, found] of [
      [OURS, other],
      ['fastify', answer(200, '{"id":"a"}')],
      ['fastify', answer(201, '{"id":"a","name":"b"}')],
    ] as const)
      assert.throws(() => requireSame(at(name), found, expected), /differs from that of/);
  });

  it(
    'has the same status during the whole load',
    { skip: !hasWrk() && 'there is no wrk here' },
    async () => {
      const folder = newFolder();
      const server = (status: number, variant = VARIANTS[0]) => {
        const note = join(folder, `${status}.json`);
        return { ...bare(answer(status, '{}'), { note, variant }), request: READY };
      };
      const pace = { rounds: 2, seconds: 0.2, warmUpSeconds: 0.1, starts: 0, lists: 0, imports: 0 };
      const loading = { pace, connections: 4, expected: answer(200, '{}') };
      const samples = await runRounds([server(200), server(200)], loading);
      assert.deepEqual(
        samples.map((each) => each.samples.length),
        [2, 2],
      );
      for (const { cpuUs = 0, perSecond = 0, peakBytes = 0 } of samples.flatMap(
        (each) => each.samples,
      ))
        assert.ok(cpuUs > 0 && perSecond > 0 && peakBytes > 1e6);
      const refused = { ...loading, expected: answer(401, '{}') };
      assert.equal((await runRounds([server(401)], refused)).length, 1);
      await assert.rejects(runRounds([server(500)], loading), /differs from that of/);
      const { expected: _, ...unchecked } = loading;
      await assert.rejects(runRounds([server(500)], unchecked), /another status under load/);
    },
  );

  it('has complete lists and new processes, and no process that ended by itself', async (t) => {
    const world = await createWorld(t);
    const list = Array.from({ length: 200 }, (_, i) => memory({ id: `m${i}` }));
    const key = world.addAccount('ana', list);
    const folder = newFolder();
    const program = programOn(world.database);
    const request = asking({ key }, '/v1/memories');
    const [file, note] = [join(folder, 'all.list'), join(folder, 'note.json')];
    const samples = await runLists({ program, request, file, note, times: 1 });
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).length, 200);
    assert.deepEqual(
      samples.map(({ name, samples: each }) => [name, each.length]),
      [FLOOR, OURS, `${OURS}, a second time`].map((name) => [name, 1]),
    );

    const one = asking({ key }, '/v1/memories/m1');
    const expected = await ask(world.port, one);
    const starts = await runStarts([{ ...program, request: one }], { times: 2, expected });
    assert.equal(starts[0]?.samples.length, 2);
    for (const { firstAnswerMs = 0, firstAnswerCpuUs = 0, idleBytes = 0 } of starts.flatMap(
      (each) => each.samples,
    ))
      assert.ok(firstAnswerMs > 0 && firstAnswerCpuUs > 1000 && idleBytes > 1e6);
    const broken = { name: 'broken', args: () => [join(folder, 'missing.mjs')] };
    await assert.rejects(
      runStarts([{ ...broken, request: one }], { times: 1, expected }),
      /broken ended before it was measured: [^]*missing\.mjs/,
    );
  });
});

describe('An import of the benchmark', () => {
  it('is the same for all, and complete', { skip: importing.lack?.() !== undefined }, async () => {
    const folder = newFolder();
    const ofThisRun = ({ name, prepare, command }: Importer): Importer => ({
      name,
      prepare,
      command: (database, incoming) =>
        command(database, incoming).map((word) => (word.endsWith('main.cjs') ? MAIN : word)),
    });
    const all = importers.map(ofThisRun);
    const samples = await runImports(all, { memories: 60, times: 1, folder });
    assert.deepEqual(
      samples.map(({ name, samples: each }) => [name, each.length]),
      all.map(({ name }) => [name, 1]),
    );
    for (const { memoriesPerSecond = 0, cpuUs = 0 } of samples.at(-1)?.samples ?? [])
      assert.ok(memoriesPerSecond > 0 && cpuUs > 0);
    assert.deepEqual(readdirSync(folder), [], 'nothing is left');
    const none = { ...(all[0] as Importer), command: () => ['true'] };
    const empty = { ...none, prepare: all[1]?.prepare ?? none.prepare };
    await assert.rejects(
      runImports([empty], { memories: 1, times: 1, folder }),
      /sqlite3 \.import imported 0 memories, and was given 1/,
    );
    assert.deepEqual(readdirSync(folder), []);
  });
});
