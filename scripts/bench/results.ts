// The results of a run: the measurements, the machine, and whether the targets were reached.

import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

import { commit } from '../bundling.ts';
import { CACHED, isPeer, OURS, UNCACHED, type Variant } from './contestants.ts';
import type { Samples, Target, TimesOurs, Work } from './measurement.ts';
import { summarise, type Sample, type Spread, type Summary } from './stats.ts';

/** The measurements of a server. */
interface ServerResult {
  readonly name: string;
  readonly summary: Summary;
  /** For a peer: its CPU time divided by the gateway's. */
  readonly timesOurs?: TimesOurs;
}

/** The results of a measurement. The first server is the baseline. */
export interface WorkResult {
  readonly name: string;
  readonly title: string;
  readonly circumstances: Circumstances;
  readonly servers: readonly ServerResult[];
  readonly targets: readonly (Target & { readonly reached: boolean; readonly server: string })[];
}

/** When a measurement was made, of which commit, and on how busy a machine. */
export interface Circumstances {
  readonly at: string;
  readonly commit: string;
  readonly load: string;
}

/** Describes the circumstances of a measurement that ends now. */
export function describeCircumstances(load: string): Circumstances {
  const at = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return { at, commit: commit() ?? 'unknown', load };
}

/** A run. */
export interface Results {
  readonly date: string;
  readonly isQuick: boolean;
  readonly machine: string;
  /** Versions by program. */
  readonly versions: Readonly<Record<string, string>>;
  /** The way in which the bare server sends. */
  readonly floor: Variant;
  readonly works: readonly WorkResult[];
}

const NOTHING: Spread = { median: Number.NaN, min: Number.NaN, max: Number.NaN };

/** Sums up the samples of a measurement. */
export function resultOf(
  { name, title, targets }: Omit<Work, 'measure'>,
  samples: Samples,
  circumstances: Circumstances,
): WorkResult {
  const floor = samples[0]?.samples ?? [];
  const servers = samples.map((server) => ({
    name: server.name,
    summary: summarise(server.samples, floor),
    ...(isPeer(server.name) && { timesOurs: compare(server.samples, samples) }),
  }));
  return {
    name,
    title,
    circumstances,
    servers,
    targets: targets.flatMap((target) =>
      judgedBy(target, servers).map((server) => ({
        ...target,
        server: server.name,
        reached: isReached(target, server, servers[0]),
      })),
    ),
  };
}

function compare(rounds: readonly Sample[], all: Samples): TimesOurs {
  const times = (name: string) => {
    const ours = all.find((server) => server.name === name)?.samples ?? [];
    return summarise(ours, rounds).cpuUs?.ratio ?? NOTHING;
  };
  return { cached: times(CACHED), uncached: times(UNCACHED) };
}

/** If the gateway is compared with itself, all servers except the baseline are judged. */
function judgedBy(target: Target, servers: readonly ServerResult[]): readonly ServerResult[] {
  if ('timesOurs' in target)
    return servers.filter(({ name }) => isPeer(name) && (target.peers?.includes(name) ?? true));
  if ('server' in target) return servers.filter(({ name }) => name === target.server);
  const own = servers.filter(({ name }) => name === OURS || name === CACHED);
  return own.length > 0 ? own : servers.slice(1);
}

function isReached(
  target: Target,
  { summary, timesOurs }: ServerResult,
  baseline: ServerResult | undefined,
): boolean {
  if ('timesOurs' in target) return (timesOurs?.[target.than].median ?? 0) >= target.timesOurs;
  const measured = summary[target.count];
  if (measured === undefined) return false;
  if ('mostOverUs' in target) {
    const beyond = measured.value.median - (baseline?.summary.cpuUs?.value.median ?? 0);
    return beyond <= target.mostOverUs;
  }
  return 'least' in target
    ? measured.ratio.median >= target.least
    : measured.value.median <= target.mostBytes;
}

/** The machine and the versions of a run. */
export function describeRun(): Pick<Results, 'date' | 'machine' | 'versions'> {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const [kernel] = /^\d+\.\d+/.exec(release()) ?? ['']; // the full release would identify the machine's build
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpu?.model.trim()}, ${cpus().length} cores, ${memory}, ${type()} ${kernel}`,
    versions: readVersions(),
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
