// A test case for HTTP in exact bytes: the request, the expected response, and the section of the RFC that demands it.

/** Plain data, which tests send whole, in pieces, or with random changes. */
export interface WireCase {
  /** A description of the request. */
  readonly name: string;
  /** In latin-1, with placeholders such as `<key>` for keys: see `fill`. */
  readonly bytes: string;
  /** The status of each expected response, in order. */
  readonly statuses: readonly number[];
  /** Whether the connection ends after the last response. */
  readonly closes: boolean;
  /** The section of an RFC, such as `9112 §3.2`. */
  readonly rfc: string;
  /** The requirement, or the decision if the RFC leaves a choice. */
  readonly why: string;
}

type Outcome = Pick<WireCase, 'statuses' | 'closes'>;

/**
 * The description, the bytes, the expected responses, the reason, and the section if it differs
 * from that of the group.
 */
type Row = readonly [bytes: string, outcome: Outcome, why: string, rfc?: string];

/** Creates the cases of one section. */
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

/** Expects these responses and an open connection. */
export const open = (...statuses: readonly number[]): Outcome => ({ statuses, closes: false });

/** Expects these responses and the end of the connection. */
export const closed = (...statuses: readonly number[]): Outcome => ({ statuses, closes: true });

/** A memory of the account of `<key>`. */
export const ONE = '/v1/memories/one';

/** The header section: the request line and the fields. */
export function head(line: string, ...fields: readonly string[]): string {
  return [line, ...fields, '', ''].join('\r\n');
}

/** A header section with Host and key. */
export function keyed(line: string, ...fields: readonly string[]): string {
  return head(line, 'Host: x', 'X-API-Key: <key>', ...fields);
}

/** A valid request for one memory, with more fields. */
export const get = (...fields: readonly string[]): string =>
  keyed(`GET ${ONE} HTTP/1.1`, ...fields);

/** The same with POST. */
export const post = (...fields: readonly string[]): string =>
  keyed(`POST ${ONE} HTTP/1.1`, ...fields);

/** A valid request to a public endpoint. */
export const PING = head('GET /healthz HTTP/1.1', 'Host: x');

/** The keys for the placeholders. */
export interface Keys {
  readonly key: string;
  /** A key of another account, which has no memory `one`. */
  readonly other: string;
  readonly revoked: string;
  readonly expired: string;
  /** A key of a disabled account. */
  readonly disabled: string;
  /** Well-formed, but never issued. */
  readonly unknown: string;
}

/** Replaces the placeholders by keys. A placeholder without a key stays, and is an invalid key. */
export function fill(bytes: string, keys: Readonly<Partial<Keys>>): string {
  return bytes.replaceAll(
    /<(key|other|revoked|expired|disabled|unknown)>/g,
    (mark, name: keyof Keys) => keys[name] ?? mark,
  );
}
