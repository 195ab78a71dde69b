// The fuzz: scripts on many connections at once, each judged, until the time is up or something is wrong.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Answer } from './answers.ts';
import { send } from './connection.ts';
import { makeCorpus } from './corpus.ts';
import { createCount, type Count, type Figures } from './figures.ts';
import { createJudge, type Complaint, type Judge } from './judge.ts';
import { fillLarder } from './larder.ts';
import type { Asked } from './request.ts';
import { makeScene } from './scene.ts';
import { makeScript, partOf, type Material, type Script } from './script.ts';
import { serve, type Server } from './server.ts';
import { shrink } from './shrink.ts';

/** What is to be tried. */
export interface Plan {
  readonly seed: string;
  readonly minutes: number;
  /** One script alone, by its number. */
  readonly only?: number | undefined;
  /** Where the database is made. */
  readonly database: string;
  /** What serves it, and its first arguments: the program of this project when left out. */
  readonly program?: string[] | undefined;
  /** It ends when so many kinds of wrong answers were found: 5 when left out. */
  readonly most?: number | undefined;
  /** Hears from time to time how far it is. */
  readonly hear?: (figures: Figures) => void;
}

/** A script that was answered wrongly. */
export interface Finding extends Complaint {
  /** The number of the script; -1 where it was among the good ones that come first. */
  readonly number: number;
  /** As small as it could be made; as it was, where it does not fail again. */
  readonly script: Script;
  readonly isShrunk: boolean;
}

/** What came of it. */
export interface Outcome {
  readonly figures: Figures;
  readonly findings: readonly Finding[];
  /** What is wrong with the process itself. */
  readonly server?: string | undefined;
}

const CONNECTIONS = 24;
/** More than this beyond what was there is a leak: caches fill, and the collector takes its time. */
const MOST_MORE_MEGABYTES = 300;

/** Makes the scene, serves it, and fuzzes. */
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
  /** By their kinds: one of each is enough. */
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
      // Who waits for the server to end a connection waits for seconds: the others go on.
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

/** Sends a script and judges it. */
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

/** Asks for one thing on a connection of its own. Rejects where nothing comes. */
async function askAlone(ring: Omit<Ring, 'material'>, asked: Asked): Promise<Answer> {
  const script: Script = { parts: [partOf(asked)], cuts: [], ending: 'close' };
  const came = await send(ring.server.port, script);
  const { answers, complaint } = ring.judge(script.parts, came);
  if (complaint && !ring.findings.has(complaint.kind))
    ring.findings.set(complaint.kind, { ...complaint, number: -1, script, isShrunk: true });
  const [answer] = answers;
  if (answer) return answer;
  throw new Error(`no answer to ${asked.target}: ${complaint?.facts ?? ring.server.complaint()}`);
}

function leak({ before, after }: Figures): string | undefined {
  const descriptors = after.descriptors - before.descriptors;
  const megabytes = after.megabytes - before.megabytes;
  if (descriptors > 3) return `it holds ${descriptors} file descriptors more than at the beginning`;
  return megabytes > MOST_MORE_MEGABYTES
    ? `it holds ${megabytes} MB more than at the beginning`
    : undefined;
}
