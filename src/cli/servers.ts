// Servers: how serve reads PostgreSQL, as its options say.

import { isPostgres, showDatabase } from '../store/address.ts';
import type { PostgresOptions } from '../store/options.ts';
import { Mistake, type Args } from './args.ts';
import type { Option } from './option.ts';
import { options, type OptionName } from './options.ts';
import { readSpan } from './values.ts';

/** The names of these options. */
export const serverNames = ['replica', 'max-lag', 'connections'] as const satisfies OptionName[];

const DAY_MS = 86_400_000;

/** Reads the options of servers; undefined for a file, which takes none of them. Fails with `Mistake`. */
export function readServers(args: Args): PostgresOptions | undefined {
  if (!isPostgres(args.need('database'))) {
    const given = serverNames.find((name) => args.text(name) !== (options[name] as Option).default);
    if (given === undefined) return undefined;
    throw new Mistake(`--${given} is for PostgreSQL; give --database postgres://… with it.`);
  }
  return {
    replicas: readReplicas(args.text('replica')),
    maxLagMs: readLag(args.need('max-lag')),
    connections: readConnections(args.need('connections')),
  };
}

function readReplicas(text: string | undefined): string[] {
  const replicas = text?.split(',') ?? [];
  const wrong = replicas.find((replica) => !isPostgres(replica) || !URL.canParse(replica));
  // What was given is not said again: there may be a password in it.
  if (wrong !== undefined)
    throw new Mistake('--replica takes addresses such as postgres://host/memories.');
  const twice = replicas.find((replica, i) => replicas.indexOf(replica) < i);
  if (twice !== undefined) throw new Mistake(`Give --replica ${showDatabase(twice)} once.`);
  return replicas;
}

function readLag(text: string): number {
  const ms = readSpan('max-lag', text);
  if (ms > 0 && ms <= DAY_MS) return ms;
  throw new Mistake(`--max-lag takes a span from 1s to 24h, not "${text}".`);
}

function readConnections(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new Mistake(`--connections takes a number from 1 to 999, not "${text}".`);
}
