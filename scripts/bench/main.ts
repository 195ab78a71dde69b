// npm run bench: measures the cost of a request, compared with a bare server and other frameworks, each in a process of its own.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { UsageError } from '../../src/cli/args/parse.ts';
import { showStages } from '../../src/cli/output/progress.ts';
import { processContext } from '../../src/cli/process.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { ROOT } from '../bundling.ts';
import { flag, runScript, say as sayAlways, word } from '../command.ts';
import { areInstalled, install } from '../on-demand.ts';
import { FOLDER, prepareData, type Amounts, type Data } from './data.ts';
import { findFloor } from './load-measurements.ts';
import { hasWrk } from './load.ts';
import { watchMachine } from './machine-load.ts';
import type { Pace, Scene, Work } from './measurement.ts';
import { works } from './measurements.ts';
import {
  describeCircumstances,
  describeRun,
  resultOf,
  type Results,
  type WorkResult,
} from './results.ts';
import { showWork, writeReadme } from './table.ts';

const HERE = join(ROOT, 'scripts/bench');

const HELP = `Measures what requests cost, against a bare node:http server and against other frameworks.

Usage: npm run bench -- [OPTIONS]

  --quick      smaller and shorter measurements, without changing scripts/bench/README.md
  --only NAME  run only this measurement, can be repeated: ${works.map(({ name }) => name).join(', ')}
  --built      measure the program that is in dist, without building it again
  --json       print the results as JSON and nothing else
  --help       show this

A full run takes under twenty minutes, and --quick under two. The first run also installs packages
and creates data in scripts/bench/data: 8 GB (--quick: 0.2 GB).
`;

const options = {
  quick: flag,
  only: { ...word, multiple: true },
  built: flag,
  json: flag,
} as const;

interface Extent {
  readonly pace: Pace;
  /** The memories of each account in each file. The first account of the last file has 1 GB. */
  readonly files: readonly Amounts[];
}

const WHOLE: Extent = {
  pace: { rounds: 7, seconds: 0.8, warmUpSeconds: 1.2, starts: 10, lists: 7, imports: 25_000 },
  files: [[1000], [10_000], [100_000], [260_000, 250_000, 250_000, 240_000]],
};
const QUICK: Extent = {
  pace: { rounds: 2, seconds: 0.2, warmUpSeconds: 0.3, starts: 2, lists: 1, imports: 5000 },
  files: [[1000], [10_000]],
};

await runScript({ name: 'bench', help: HELP, options }, async ({ values }) => {
  const { quick: isQuick = false, only = [], built = false, json = false } = values;
  const chosen = choose(only, isQuick);
  const extent = isQuick ? QUICK : WHOLE;
  const say = json ? () => {} : sayAlways;
  const files = await prepare(extent, say, built);
  const results = await measure({ extent, files, chosen, isQuick, say });
  const isWhole = !isQuick && only.length === 0;
  if (isWhole) writeReadme(results);
  if (json) sayAlways(JSON.stringify(results, null, 2));
  else if (isWhole) say('\nscripts/bench/README.md has these results now.');
});

type Say = (line: string) => void;

/**
 * Selects measurements by name. Without names, selects all, or with --quick those that have a
 * target.
 */
function choose(only: readonly string[], isQuick: boolean): readonly Work[] {
  const known = works.map(({ name }) => name);
  for (const name of only) {
    if (known.includes(name)) continue;
    throw new UsageError(`There is no work "${name}"; there are ${known.join(', ')}.`);
  }
  if (only.length > 0) return works.filter(({ name }) => only.includes(name));
  return works.filter(({ targets }) => !isQuick || targets.length > 0);
}

/** Prepares everything that must exist before the first measurement. */
async function prepare({ files }: Extent, say: Say, isBuilt: boolean): Promise<Data[]> {
  if (!hasWrk())
    throw new Refusal(
      'There is no wrk on the path to load the servers; on Debian: apt-get install wrk',
    );
  if (!areInstalled(HERE)) {
    say('Installing the servers to compare with, into scripts/bench/node_modules …');
    install(HERE);
  }
  if (!isBuilt || !existsSync(join(ROOT, 'dist/index.js'))) build(say);
  return prepareData(files, { folder: FOLDER, stage: showStages(processContext) });
}

/** Builds the program, because users run the built one. Throws `Refusal` if that fails. */
function build(say: Say): void {
  say('Building the program …');
  const { status } = spawnSync('npm', ['run', '-s', 'build'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Refusal('The program could not be built. Run: npm run build');
}

interface Run {
  readonly extent: Extent;
  readonly files: readonly Data[];
  readonly chosen: readonly Work[];
  readonly isQuick: boolean;
  readonly say: Say;
}

async function measure({ extent, files, chosen, isQuick, say }: Run): Promise<Results> {
  const { pace } = extent;
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-bench-'));
  try {
    const [first, ...rest] = files as [Data, ...Data[]];
    const variant = await findFloor(first, pace, folder);
    const scene: Scene = { pace, files: [first, ...rest], variant, folder };
    const run = describeRun();
    say(`\n${run.machine}; Node ${process.versions.node}; load by wrk.`);
    say(`The floor sends by: ${variant}.`);
    const measured: WorkResult[] = [];
    for (const work of chosen) {
      const lack = work.lack?.();
      if (lack !== undefined) {
        say(`\n${work.title}: not measured, because ${lack}.`);
        continue;
      }
      const load = watchMachine();
      const samples = await work.measure(scene);
      const result = resultOf(work, samples, describeCircumstances(load()));
      say(`\n${showWork(result)}`);
      measured.push(result);
    }
    return { ...run, isQuick, floor: variant, works: measured };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
