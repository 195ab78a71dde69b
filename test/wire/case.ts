// A case of the wire: requests as exact bytes, and what they must lead to, by which section of which RFC.

/** Plain data, for whoever sends it: one by one, in pieces, or changed at random. */
export interface WireCase {
  /** What is sent, in words. */
  readonly name: string;
  /** In latin-1, with marks such as `<key>` where keys go: see `fill`. */
  readonly bytes: string;
  /** The status of each answer that must come, in their order. */
  readonly statuses: readonly number[];
  /** Whether the connection ends with the last of them. */
  readonly closes: boolean;
  /** What says so, such as `9112 §3.2`. */
  readonly rfc: string;
  /** What it says, or what was decided where it leaves a choice. */
  readonly why: string;
}

type Outcome = Pick<WireCase, 'statuses' | 'closes'>;

/** What is sent, what must come of it, why, and the section where it is not that of the group. */
type Row = readonly [bytes: string, outcome: Outcome, why: string, rfc?: string];

/** Makes the cases of one section. */
export function cases(rfc: string, rows: Readonly<Record<string, Row>>): WireCase[] {
  return Object.entries(rows).map(([name, [bytes, { statuses, closes }, why, own = rfc]]) => ({
    name,
    bytes,
    statuses,
    closes,
    rfc: own,
    why,
  }));
}

/** These answers, and a connection that goes on. */
export const open = (...statuses: readonly number[]): Outcome => ({ statuses, closes: false });

/** These answers, and the end. */
export const closed = (...statuses: readonly number[]): Outcome => ({ statuses, closes: true });

/** A memory of the account that `<key>` opens. */
export const ONE = '/v1/memories/one';

/** A head: its first line, and its fields. */
export function head(line: string, ...fields: readonly string[]): string {
  return [line, ...fields, '', ''].join('\r\n');
}

/** A head with Host and key. */
export function keyed(line: string, ...fields: readonly string[]): string {
  return head(line, 'Host: x', 'X-API-Key: <key>', ...fields);
}

/** A good request for one memory, with more fields. */
export const get = (...fields: readonly string[]): string =>
  keyed(`GET ${ONE} HTTP/1.1`, ...fields);

/** The same by POST. */
export const post = (...fields: readonly string[]): string =>
  keyed(`POST ${ONE} HTTP/1.1`, ...fields);

/** A good request that needs no key. */
export const PING = head('GET /healthz HTTP/1.1', 'Host: x');

/** The keys that marks stand for. */
export interface Keys {
  readonly key: string;
  /** Of another account, which has no memory `one`. */
  readonly other: string;
  readonly revoked: string;
  readonly expired: string;
  /** Of an account that is disabled. */
  readonly disabled: string;
  /** Well-formed, and never issued. */
  readonly unknown: string;
}

/** Puts keys in the place of their marks; a mark without a key stays, and is none. */
export function fill(bytes: string, keys: Readonly<Partial<Keys>>): string {
  return bytes.replaceAll(
    /<(key|other|revoked|expired|disabled|unknown)>/g,
    (mark, name: keyof Keys) => keys[name] ?? mark,
  );
}
