// What an error of PostgreSQL, or of the way to it, means for people, and what mends it.

import { showDatabase } from '../address.ts';
import { Refusal, type Trouble } from '../refusal.ts';
import { commandOn } from '../shell.ts';

/** A word for machines, what is said behind the address, and whether the connection was lost with its answer. */
type Remedy = readonly [Trouble, string, 'lost'?];

/** By the code of an error, or the class that it begins with. */
const REMEDIES: Readonly<Record<string, Remedy>> = {
  ECONNREFUSED: ['unreachable', 'takes no connections; start it, or mend its address'],
  ENOTFOUND: ['unreachable', 'has a host that nobody knows; mend its address'],
  EAI_AGAIN: ['unreachable', 'has a host that cannot be looked up now; see the name server'],
  EHOSTUNREACH: ['unreachable', 'cannot be reached from here; see the network'],
  ENETUNREACH: ['unreachable', 'cannot be reached from here; see the network'],
  ETIMEDOUT: [
    'unreachable',
    'does not answer; see whether it runs and whether the network lets us through',
  ],
  ECONNRESET: ['unreachable', 'has broken the connection; see its log', 'lost'],
  EPIPE: ['unreachable', 'has broken the connection; see its log', 'lost'],
  WAITED: [
    'busy',
    'has all our connections in use, and none came free in time; raise --connections, or see what is slow',
  ],
  STARTUP: [
    'denied',
    'stands behind a pooler that refuses our time-outs; name them in its ignore_startup_parameters, as the README says',
  ],
  PASSWORD: ['denied', 'wants a password; give it by PGPASSWORD or in ~/.pgpass'],
  PLAIN: ['denied', 'speaks no TLS; mend its ssl, or leave sslmode out of the address'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'denied',
    'has a certificate of another host; name the host in the address as that does',
  ],
  TLS: ['denied', 'has a certificate that is not to be trusted; name its authority by sslrootcert'],
  '08P01': ['unreachable', 'or a pooler before it has turned us away; see its log'],
  '08': ['unreachable', 'has broken the connection; see its log', 'lost'],
  '0A000': ['busy', 'has changed under a statement that was prepared; try again', 'lost'],
  '22021': ['unusable', 'cannot keep a character of this text; keep memories in one of UTF8'],
  '22P05': ['unusable', 'cannot keep a character of this text; keep memories in one of UTF8'],
  '26000': [
    'busy',
    'does not know a statement that was prepared; see "Poolers" in the README',
    'lost',
  ],
  '42P05': [
    'busy',
    'knows a statement that another has prepared; see "Poolers" in the README',
    'lost',
  ],
  '28P01': ['denied', 'does not know this user by this password; mend it (PGPASSWORD, ~/.pgpass)'],
  '28': [
    'denied',
    'does not let this user in from here; mend the user or pg_hba.conf, or add sslmode to the address where it wants TLS',
  ],
  '3D000': ['missing', 'is not there; create it with: createdb'],
  '3F000': ['missing', 'has no schema of ours; create it with memory-gateway migrate'],
  '42P01': [
    'missing',
    'lacks a table that this program reads; bring its schema up to date with memory-gateway migrate',
  ],
  '42703': [
    'damaged',
    'lacks a column that this program reads; see with memory-gateway verify what is missing',
  ],
  '42883': [
    'damaged',
    'lacks a function that this program calls; see with memory-gateway verify what is missing',
  ],
  '42501': ['denied', 'does not let this user do that; grant it what the README says'],
  '25006': ['denied', 'lets nothing be written, as it is a replica or read-only; name its primary'],
  '53100': ['full', 'cannot be written, the disk is full; free some space'],
  '53300': ['busy', 'has no connection left; raise max_connections, or lower --connections'],
  '53': ['full', 'is out of memory or of room; see its log'],
  '55P03': ['locked', 'is locked by another program; close that program and try again'],
  '57014': ['busy', 'took too long, or cancelled the statement; see its log'],
  '57P03': ['unreachable', 'is starting or ending; try again'],
  '57P': ['unreachable', 'was ended or restarted; try again', 'lost'],
  '40': ['busy', 'has cancelled the statement for another one; try again'],
  '58': ['damaged', 'cannot read a file of its own; see its log'],
  XX: ['damaged', 'is damaged; see its log'],
};

/** What node-postgres and poolers say where there is no code, or one of many meanings. */
const SAYS: readonly (readonly [RegExp, string])[] = [
  [/timeout exceeded when trying to connect/, 'WAITED'],
  [/due to connection timeout|timeout expired|Query read timeout/, 'ETIMEDOUT'],
  [/Connection terminated|Client has encountered a connection error|not queryable/, 'ECONNRESET'],
  [/unsupported startup parameter/, 'STARTUP'],
  [/^SASL: .*password must be/, 'PASSWORD'],
  [/server does not support SSL/, 'PLAIN'],
];

/**
 * Turns an error of PostgreSQL into a sentence for people, where there is one. Of others what an answer or
 * a row may stand in is left out (detail, place, query), and what is of other making stays as it is.
 */
export function explainPostgres(error: unknown, address: string): unknown {
  if (error instanceof Refusal || !(error instanceof Error)) return error;
  const [trouble, sentence] = remedyOf(error) ?? [];
  if (trouble !== undefined)
    return new Refusal(`${showDatabase(address)} ${sentence}.`, { trouble, cause: error });
  if (!('severity' in error)) return error;
  return Object.assign(new Error(`PostgreSQL says: ${error.message}`), { code: codeOf(error) });
}

/**
 * Tells whether an error, explained or not, is that a connection was lost with its answer: that it was
 * broken, ended by the server, or has forgotten what was prepared on it. A read may be asked once more.
 */
export function isLost(error: unknown): boolean {
  return remedyOf(error)?.[2] === 'lost';
}

/** The code of an error of PostgreSQL (five characters) or of the system, also behind a `Refusal`; `''` where it has none. */
export function codeOf(error: unknown): string {
  if (error instanceof Refusal) return codeOf(error.cause);
  if (!(error instanceof Error)) return '';
  const said = SAYS.find(([text]) => text.test(error.message))?.[1];
  if (said !== undefined) return said;
  const { code } = error as { code?: unknown };
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]); // all addresses of a host
  if (typeof code !== 'string') return '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return code;
  return /CERT|ERR_TLS|ERR_SSL|SIGNATURE$/.test(code) ? 'TLS' : code;
}

function remedyOf(error: unknown): Remedy | undefined {
  const code = codeOf(error);
  const keys = [code, code.slice(0, 3), code.slice(0, 2)]; // the closest first
  return REMEDIES[keys.find((key) => Object.hasOwn(REMEDIES, key)) ?? ''];
}

/** The refusal of a database whose schema is not that of this program. */
export function otherSchema(address: string, found: number, wanted: number): Refusal {
  const name = showDatabase(address);
  return found > wanted
    ? new Refusal(
        `${name} has schema ${found}, and this program knows ${wanted}; run a newer program on it.`,
        { trouble: 'newer' },
      )
    : new Refusal(
        `${name} has schema ${found}, and this program needs ${wanted}; run: ${commandOn(name, 'migrate')}`,
        { trouble: found === 0 ? 'missing' : 'older' },
      );
}
