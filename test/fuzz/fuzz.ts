// The fuzz run: sends scripts on many connections at once and checks each, until the time is up or enough faults are found.

import { setTimeout as sleep } from 'node:timers/promises';

import * as fc from 'fast-check';

import { makeScene } from './accounts.ts';
import { send } from './connection.ts';
import { makeCorpus } from './corpus.ts';
import { tokensOf } from './dictionary.ts';
import { createJudge, type Complaint, type Judge } from './judge.ts';
import type { Answer } from './read-responses.ts';
import type { Asked } from './request.ts';
import { partOf, scriptsOf, type Script } from './script.ts';
import { serve, type Held, type Server } from './server.ts';

/** A series of scripts: its seed, and the path of one script in it, as a finding has them. */
export interface Series {
  readonly seed: number;
  readonly path?: string | undefined;
}

/** The settings of a fuzz run. With a `path` it runs that script alone. */
export interface Plan extends Series {
  readonly minutes: number;
  /** Path of the database to create. */
  readonly database: string;
  /**
   * The program that serves the database, with its first arguments. Default: the program of this
   * project.
   */
  readonly program?: string[] | undefined;
  /** The run ends after this many kinds of findings. Default: 5. */
  readonly most?: number | undefined;
  /** Receives the figures from time to time. */
  readonly hear?: (figures: Figures) => void;
}

/** The counters of a fuzz run. */
export interface Figures {
  readonly seconds: number;
  readonly connections: number;
  /** Requests, including byte sequences sent instead of one. */
  readonly requests: number;
  /** Number of responses by status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly before: Held;
  readonly after: Held;
}

/** A script with a wrong response. The valid requests that are sent first belong to no series. */
export interface Finding extends Complaint {
  readonly series?: Series;
  /** The smallest script that has failed. */
  readonly script: Script;
}

/** The result of a fuzz run. */
export interface Outcome {
  readonly figures: Figures;
  readonly findings: readonly Finding[];
  /** The fault of the server process, if any. */
  readonly server?: string | undefined;
}

const CONNECTIONS = 24;
/** How many scripts are of one series. */
const SERIES = 200;
/** How many smaller scripts are tried. */
const MOST_TRIES = 400;
/**
 * Growth beyond these bounds is a leak. Growth below them comes from filling caches and delayed
 * garbage collection.
 */
const MOST_MORE_MEGABYTES = 300;

/** Creates the database, serves it and fuzzes it. */
export async function fuzz(plan: Plan): Promise<Outcome> {
  const owners = makeScene(plan.database);
  const server = await serve(plan.database, plan.program);
  try {
    const ring = { server, judge: createJudge(owners), findings: new Map<string, Finding>() };
    const corpus = await makeCorpus(owners, (asked) => askAlone(ring, asked));
    const scripts = scriptsOf({ owners, corpus, tokens: tokensOf(owners, corpus) });
    return await play(plan, ring, scripts);
  } finally {
    await server.stop();
  }
}

interface Ring {
  readonly server: Server;
  readonly judge: Judge;
  /** Keyed by kind: one finding of each kind is enough. */
  readonly findings: Map<string, Finding>;
}

async function play(plan: Plan, ring: Ring, scripts: fc.Arbitrary<Script>): Promise<Outcome> {
  const { server, findings } = ring;
  const { seed, path, minutes, most = 5 } = plan;
  const began = performance.now();
  const before = server.held();
  const count = { connections: 0, requests: 0, answers: {} as Record<string, number> };
  let next = seed;
  const figures = (): Figures => ({
    ...count,
    seconds: (performance.now() - began) / 1000,
    before,
    after: server.held(),
  });
  const isOver = () =>
    server.complaint() !== undefined ||
    findings.size >= most ||
    performance.now() > began + minutes * 60_000;

  /** Runs a series until a script fails. Then only failures of the same kind count, as they shrink. */
  async function run(series: Series): Promise<void> {
    let found: Complaint | undefined;
    let tries = 0;
    const property = fc.asyncProperty(scripts, async (script) => {
      if (found === undefined ? isOver() : tries++ >= MOST_TRIES) return;
      const { answers, complaint } = await tryOut(ring, script);
      count.connections++;
      count.requests += script.parts.length;
      for (const { status } of answers) count.answers[status] = (count.answers[status] ?? 0) + 1;
      if (complaint === undefined) return;
      if (found === undefined ? findings.has(complaint.kind) : found.kind !== complaint.kind)
        return;
      found ??= complaint;
      findings.set(complaint.kind, { ...complaint, series, script });
      throw new Error(complaint.kind);
    });
    const runs = { seed: series.seed, ...(series.path && { path: series.path }) };
    const { counterexamplePath } = await fc.check(property, { ...runs, numRuns: SERIES });
    const finding = found && findings.get(found.kind);
    if (finding && counterexamplePath !== null)
      findings.set(finding.kind, { ...finding, series: { ...series, path: counterexamplePath } });
  }

  const worker = async (): Promise<void> => {
    while (!isOver()) {
      await run({ seed: next++ });
      plan.hear?.(figures());
    }
  };
  if (path === undefined) await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  else await run({ seed, path });
  await sleep(200); // the last connections close
  const all = figures();
  const wrong = server.complaint() ?? leak(all);
  return {
    figures: all,
    findings: [...findings.values()],
    server:
      wrong && `${wrong}; the last seeds were ${Math.max(seed, next - CONNECTIONS)} to ${next - 1}`,
  };
}

/** Sends a script and checks the responses. */
async function tryOut({ server, judge }: Pick<Ring, 'server' | 'judge'>, script: Script) {
  const came = await send(server.port, script).catch((error: Error) => error);
  if (came instanceof Error)
    return { answers: [], complaint: { kind: 'no connection', facts: came.message } };
  return judge(script.parts, came);
}

/** Sends one request on a connection of its own. Rejects if no response comes. */
async function askAlone(ring: Ring, asked: Asked): Promise<Answer> {
  const script: Script = { parts: [partOf(asked)], cuts: [], ending: 'close' };
  const { answers, complaint } = await tryOut(ring, script);
  if (complaint && !ring.findings.has(complaint.kind))
    ring.findings.set(complaint.kind, { ...complaint, script });
  const [answer] = answers;
  if (answer) return answer;
  throw new Error(`no response to ${asked.target}: ${complaint?.facts ?? ring.server.complaint()}`);
}

function leak({ before, after }: Figures): string | undefined {
  const descriptors = after.descriptors - before.descriptors;
  const megabytes = after.megabytes - before.megabytes;
  if (descriptors > 3) return `it holds ${descriptors} file descriptors more than at the beginning`;
  return megabytes > MOST_MORE_MEGABYTES
    ? `it holds ${megabytes} MB more than at the beginning`
    : undefined;
}
