// The fuzz run: sends scripts on many connections at once and checks each, until the time is up or enough faults are found.

import { setTimeout as sleep } from 'node:timers/promises';

import { makeScene } from './accounts.ts';
import { send } from './connection.ts';
import { makeCorpus } from './corpus.ts';
import { fillLarder } from './dictionary.ts';
import { createCount, type Count, type Figures } from './figures.ts';
import { createJudge, type Complaint, type Judge } from './judge.ts';
import type { Answer } from './read-responses.ts';
import type { Asked } from './request.ts';
import { makeScript, partOf, type Material, type Script } from './script.ts';
import { serve, type Server } from './server.ts';
import { shrink } from './shrink.ts';

/** The settings of a fuzz run. */
export interface Plan {
  readonly seed: string;
  readonly minutes: number;
  /** Runs only the script with this number. */
  readonly only?: number | undefined;
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

/** A script with a wrong response. */
export interface Finding extends Complaint {
  /** The number of the script. -1 for the valid requests that are sent first. */
  readonly number: number;
  /** The shrunk script, or the original if the fault does not occur again. */
  readonly script: Script;
  readonly isShrunk: boolean;
}

/** The result of a fuzz run. */
export interface Outcome {
  readonly figures: Figures;
  readonly findings: readonly Finding[];
  /** The fault of the server process, if any. */
  readonly server?: string | undefined;
}

const CONNECTIONS = 24;
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
    const findings = new Map<string, Finding>();
    const ring = { server, judge: createJudge(owners), findings };
    const corpus = await makeCorpus(owners, (asked) => askAlone(ring, asked));
    const material = { owners, corpus, larder: fillLarder(owners, corpus) };
    return await play(plan, { ...ring, material });
  } finally {
    await server.stop();
  }
}

interface Ring {
  readonly server: Server;
  readonly judge: Judge;
  readonly material: Material;
  /** Keyed by kind: one finding of each kind is enough. */
  readonly findings: Map<string, Finding>;
}

async function play(plan: Plan, ring: Ring): Promise<Outcome> {
  const { server, material, findings } = ring;
  const { seed, only, most = 5 } = plan;
  const count = createCount(server.held());
  const waiting = new Set<Promise<void>>();
  const ends = performance.now() + plan.minutes * 60_000;
  let next = only ?? 0;
  let heard = 0;
  const isOver = () =>
    server.complaint() !== undefined ||
    findings.size >= most ||
    (only === undefined ? performance.now() > ends : next > only);

  const worker = async (): Promise<void> => {
    while (!isOver()) {
      const number = next++;
      const script = makeScript(seed, number, material);
      const done = playOne(number, script);
      // A script that waits for the server to close the connection takes seconds, so this worker
      // goes on.
      if (script.ending !== 'wait') await done;
      else waiting.add(done.finally(() => waiting.delete(done)));
      if (performance.now() < heard + 500) continue;
      heard = performance.now();
      plan.hear?.(count.figures(server.held()));
    }
  };

  async function playOne(number: number, script: Script): Promise<void> {
    const complaint = await tryOut(ring, script, count.add);
    if (complaint === undefined || findings.has(complaint.kind)) return;
    findings.set(complaint.kind, { ...complaint, number, script, isShrunk: false });
    const isSame = async (smaller: Script) =>
      (await tryOut(ring, smaller))?.kind === complaint.kind;
    const smallest = await shrink(script, isSame);
    if (smallest)
      findings.set(complaint.kind, { ...complaint, number, script: smallest, isShrunk: true });
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  count.stop();
  await Promise.all(waiting);
  await sleep(200); // the last connections close
  const figures = count.figures(server.held());
  const wrong = server.complaint() ?? leak(figures);
  return {
    figures,
    findings: [...findings.values()],
    server: wrong && `${wrong}; the last scripts were ${next - CONNECTIONS} to ${next - 1}`,
  };
}

/** Sends a script and checks the responses. */
async function tryOut(
  { server, judge }: Pick<Ring, 'server' | 'judge'>,
  script: Script,
  add: Count['add'] = () => {},
): Promise<Complaint | undefined> {
  const came = await send(server.port, script).catch((error: Error) => error);
  if (came instanceof Error) return { kind: 'no connection', facts: came.message };
  const { answers, complaint } = judge(script.parts, came);
  add(script.parts.length, answers);
  return complaint;
}

/** Sends one request on a connection of its own. Rejects if no response comes. */
async function askAlone(ring: Omit<Ring, 'material'>, asked: Asked): Promise<Answer> {
  const script: Script = { parts: [partOf(asked)], cuts: [], ending: 'close' };
  const came = await send(ring.server.port, script);
  const { answers, complaint } = ring.judge(script.parts, came);
  if (complaint && !ring.findings.has(complaint.kind))
    ring.findings.set(complaint.kind, { ...complaint, number: -1, script, isShrunk: true });
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
