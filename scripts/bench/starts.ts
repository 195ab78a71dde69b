// Starts of a process: until its first response, with its memory when idle, and until it says that it listens.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { Refusal } from '../../src/store/refusal.ts';
import {
  asking,
  bare,
  bareAsModule,
  MAIN,
  OURS,
  ours,
  pathTo,
  requireSame,
  targetOf,
  type Contestant,
} from './contestants.ts';
import { askOnce, noteIn } from './load-measurements.ts';
import { inTurn, type Samples, type Work } from './measurement.ts';
import { askUntilAnswered, type Answer } from './request.ts';
import { withServer, type Running } from './server.ts';
import type { Sample } from './stats.ts';

/** A program to start. If it prints nothing, its end is measured. */
interface Started {
  readonly name: string;
  readonly command: readonly string[];
}

const EXECUTABLE = pathTo('../../out/memory-gateway');
const BARE = `require('node:http').createServer().listen(0, '127.0.0.1', () => console.log('listening'))`;

/** From the start to the line that says that it listens, for the package and the executable. Its baseline does not listen: it is the least that Node does. */
const listening: Work = {
  name: 'listen',
  title: 'start to the listening line',
  targets: [{ count: 'listeningMs', least: 0.63 }],
  lack: () =>
    existsSync(EXECUTABLE) ? undefined : 'there is no executable; npm run binary builds it',
  measure: ({ pace, files: [{ path: database }] }) => {
    const serve = ['serve', '--database', database, '--port', '0'];
    const all = [
      { name: 'node -e 0', command: [process.execPath, '-e', '0'] },
      { name: 'bare node:http', command: [process.execPath, '-e', BARE] },
      { name: OURS, command: [EXECUTABLE, ...serve] },
      {
        name: `${OURS}, the package`,
        command: [process.execPath, MAIN, ...serve],
      },
    ];
    return inTurn(all, pace.starts * 2, listenOnce);
  },
};

/** The measurements. */
export const starts: readonly Work[] = [
  {
    name: 'start',
    title: 'start to first answer, and idle memory',
    targets: [{ count: 'firstAnswerMs', least: 0.6 }],
    measure: async (scene) => {
      const [data] = scene.files;
      const request = asking(data, targetOf({ memory_id: data.ids(1)[0] ?? '' }));
      const expected = await askOnce(ours(data), request);
      const note = noteIn(scene, expected);
      const programs = [bare(expected, note), bareAsModule(note), ours(data)];
      const contestants = programs.map((program) => ({ ...program, request }));
      return runStarts(contestants, { times: scene.pace.starts, expected });
    },
  },
  listening,
];

const SETTLE_MS = 200;

/** Starts servers in turn, each until its first response. */
export function runStarts(
  contestants: readonly Contestant[],
  { times, expected }: { times: number; expected: Answer },
): Promise<Samples> {
  return inTurn(contestants, times, (each) =>
    withServer(each, (server) => startOnce(server, each, expected)),
  );
}

async function startOnce(
  server: Running,
  contestant: Contestant,
  expected: Answer,
): Promise<Sample> {
  const answer = await askUntilAnswered(server, contestant.request);
  const firstAnswerMs = performance.now() - server.startedAt;
  const { cpuUs: firstAnswerCpuUs } = await server.meter();
  requireSame(contestant, answer, expected);
  await pause(SETTLE_MS);
  const { residentBytes } = await server.meter();
  return { firstAnswerMs, firstAnswerCpuUs, idleBytes: residentBytes };
}

async function listenOnce({ name, command: [program = '', ...args] }: Started): Promise<Sample> {
  const { PATH = '', HOME = '' } = process.env;
  const startedAt = performance.now();
  const child = spawn(program, args, { env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const line = once(child.stdout, 'data').then(() => 0);
  const code = await Promise.race([line, ended.then(([found]) => found)]);
  const listeningMs = performance.now() - startedAt;
  child.kill('SIGKILL');
  await ended;
  if (code === 0) return { listeningMs };
  throw new Refusal(`${name} ended with ${code} before it listened.`);
}
