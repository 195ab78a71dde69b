// The servers to measure: the baseline, the gateway as users run it, and the peers.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

import { Refusal } from '../../src/store/refusal.ts';
import type { Data } from './data.ts';
import type { Answer, Request } from './request.ts';
import type { Program } from './server.ts';

/** A server and its requests. */
export interface Contestant extends Program {
  readonly request: Request;
  /** A file of paths to request in turn. */
  readonly paths?: string;
  /** Extracts the content from an envelope. */
  readonly unwrap?: (json: unknown) => unknown;
}

/**
 * The request that every server gets: one memory, the newest memories, those that have all of some
 * words, or the best passages for them.
 */
export type Wanted =
  | { readonly memory_id: string }
  | { readonly limit: number; readonly q?: string }
  | { readonly best: number; readonly q: string };

/** The ways in which the bare server can send the same bytes: see bare.cjs. */
export const VARIANTS = [
  'Buffer, flat headers',
  'latin1 string, flat headers',
  'UTF-8 string, flat headers',
  'Buffer, header object',
] as const;

/** The way in which the bare server sends. */
export type Variant = (typeof VARIANTS)[number];

export const FLOOR = 'bare node:http';
const FLOOR_AS_MODULE = 'bare node:http, as an ES module';
export const OURS = 'memory-gateway';
/** The gateway, if its response cache answers what is requested. */
export const CACHED = 'memory-gateway, cached';
export const UNCACHED = 'memory-gateway --cache 0';
export const PEERS = ['fastify', 'hono', 'express', 'trpc', 'orpc'] as const;
export type PeerName = (typeof PEERS)[number];

/** Returns whether a server is a peer, by its name. */
export function isPeer(name: string): boolean {
  return PEERS.some((known) => known === name);
}

/** Returns the path of a file, relative to this folder. */
export const pathTo = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The built program. */
export const MAIN = pathTo('../../dist/cli/main.cjs');

/** The built program with a file. */
export function ours({ path: database }: Pick<Data, 'path'>, cache?: string): Program {
  return {
    name: OURS,
    args: (port) => [MAIN, 'serve', '--database', database, '--port', String(port)],
    ...(cache === undefined ? {} : { env: { MEMORY_GATEWAY_CACHE: cache } }),
  };
}

/** The gateway in a measurement of what its response cache answers. */
export function cached(data: Pick<Data, 'path'>): Program {
  return { ...ours(data), name: CACHED };
}

/** The gateway without its response cache: like the peers, it reads the file for every request. */
export function uncached(data: Pick<Data, 'path'>): Program {
  return { ...ours(data, '0'), name: UNCACHED };
}

/** The requests for the gateway, and for every peer with the same paths. */
export function asking({ key }: Pick<Data, 'key'>, target: string, more = {}): Request {
  return { path: target, headers: { authorization: `Bearer ${key}`, ...more } };
}

/** The target of a request. */
export function targetOf(wanted: Wanted): string {
  if ('memory_id' in wanted) return `/v1/memories/${wanted.memory_id}`;
  const { q } = wanted;
  const words = q === undefined ? '' : `&q=${encodeURIComponent(q)}`;
  return 'best' in wanted
    ? `/v1/search?limit=${wanted.best}${words}`
    : `/v1/memories?limit=${wanted.limit}${words}`;
}

/** A peer with a file. tRPC has its own paths and envelope. */
export function peer(name: PeerName, data: Data, wanted: Wanted): Contestant {
  const args = (port: number) => [pathTo(`peers/${name}.mjs`), String(port), data.path];
  if (name !== 'trpc') return { name, args, request: asking(data, targetOf(wanted)) };
  const procedure = 'limit' in wanted ? 'memories' : 'memory';
  const target = `/${procedure}?input=${encodeURIComponent(JSON.stringify(wanted))}`;
  return { name, args, request: asking(data, target), unwrap: fromEnvelope };
}

function fromEnvelope(json: unknown): unknown {
  return (json as { readonly result: { readonly data: unknown } }).result.data;
}

/** Node writes these headers itself. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/**
 * The response of the bare server, and the way to send it. The server reads both from the file
 * `note`.
 */
interface Bare {
  readonly note: string;
  readonly variant: Variant;
  /** Piped instead of the body. */
  readonly file?: string;
}

/** The bare server that sends a response of the gateway, with the same headers and bytes. */
export function bare({ status, head, body }: Answer, { note, variant, file }: Bare): Program {
  const sent = { status, head: sentBy({ head }), body: body.toString('base64'), file, variant };
  writeFileSync(note, JSON.stringify(sent));
  return { name: FLOOR, args: (port) => [pathTo('bare.cjs'), String(port), note] };
}

/** Returns the headers that a server adds itself. */
export function sentBy({ head }: Pick<Answer, 'head'>): (string | undefined)[] {
  return head.flatMap((name, i) => {
    const isName = i % 2 === 0 && !BY_NODE.has(name.toLowerCase());
    return isName ? [name, head[i + 1]] : [];
  });
}

/** The same bytes from a bare server that is an ES module. */
export function bareAsModule({ note }: Pick<Bare, 'note'>): Program {
  return { name: FLOOR_AS_MODULE, args: (port) => [pathTo('bare.mjs'), String(port), note] };
}

/**
 * Rejects with `Refusal` if a server's response differs from the gateway's: the same bytes, or for
 * a peer the same JSON.
 */
export function requireSame(
  { name, unwrap = (json) => json }: Contestant,
  answer: Answer,
  expected: Answer,
): void {
  const isSame = isPeer(name) ? sameJson : sameBytes;
  if (answer.status === expected.status && isSame(answer.body, expected.body)) return;
  throw new Refusal(
    `The response of ${name} differs from that of ${OURS}, so they cannot be compared.`,
  );

  function sameJson(a: Buffer, b: Buffer): boolean {
    return isDeepStrictEqual(unwrap(JSON.parse(a.toString())), JSON.parse(b.toString()));
  }
}

function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.equals(b);
}
