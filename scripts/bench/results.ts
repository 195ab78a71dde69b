// The results of a run: what was measured, on what, and whether the targets were reached.

import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

import { OURS, type Variant } from './contestants.ts';
import { tool } from './load.ts';
import type { Samples } from './scene.ts';
import { summarise, type Summary } from './stats.ts';
import type { Target, Work } from './works.ts';

/** What was measured of a server. */
export interface ServerResult {
  readonly name: string;
  readonly summary: Summary;
}

/** What was measured of a work; the first server is the floor. */
export interface WorkResult {
  readonly name: string;
  readonly title: string;
  readonly servers: readonly ServerResult[];
  readonly targets: readonly (Target & { readonly reached: boolean; readonly server: string })[];
}

/** A run. */
export interface Results {
  readonly date: string;
  readonly isQuick: boolean;
  readonly machine: string;
  /** By name of what is versioned. */
  readonly versions: Readonly<Record<string, string>>;
  readonly load: string;
  /** How the bare server sends. */
  readonly floor: Variant;
  readonly works: readonly WorkResult[];
}

/** Sums up the samples of a work. */
export function resultOf(
  { name, title, targets }: Omit<Work, 'measure'>,
  samples: Samples,
): WorkResult {
  const floor = samples[0]?.samples ?? [];
  const servers = samples.map((server) => ({
    name: server.name,
    summary: summarise(server.samples, floor),
  }));
  // Where ours is measured against ours, all but the floor are judged.
  const judged = servers.some((each) => each.name === OURS)
    ? servers.filter((each) => each.name === OURS)
    : servers.slice(1);
  return {
    name,
    title,
    servers,
    targets: judged.flatMap((server) =>
      targets.map((target) => ({
        ...target,
        server: server.name,
        reached: isReached(target, server.summary),
      })),
    ),
  };
}

function isReached(target: Target, summary: Summary): boolean {
  const measured = summary[target.count];
  if (measured === undefined) return false;
  return 'least' in target
    ? measured.ratio.median >= target.least
    : measured.value.median <= target.mostBytes;
}

/** How many times as much CPU as ours a server takes for the same work. */
export function timesOurs({ servers }: WorkResult, { summary }: ServerResult): number {
  const own = servers.find(({ name }) => name === OURS)?.summary.cpuUs?.value.median ?? Number.NaN;
  return (summary.cpuUs?.value.median ?? Number.NaN) / own;
}

/** What the run is made on and with. */
export function describeRun(): Pick<Results, 'date' | 'machine' | 'versions' | 'load'> {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpu?.model.trim()}, ${cpus().length} cores, ${memory}, ${type()} ${release()}`,
    versions: readVersions(),
    load: tool,
  };
}

function readVersions(): Record<string, string> {
  const own = readManifest('../../package.json');
  return {
    'memory-gateway': own.version,
    node: process.versions.node,
    'better-sqlite3': own.dependencies['better-sqlite3'] ?? '',
    ...readManifest('package.json').dependencies,
  };
}

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Manifest;
}
