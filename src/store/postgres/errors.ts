// Turns errors of PostgreSQL and of the network into sentences with a remedy.

import { showDatabase, commandOn } from '../address.ts';
import { Refusal, type RefusalCode } from '../refusal.ts';

/** The code for machines, the sentence after the address, and whether the connection was lost. */
type Remedy = readonly [RefusalCode, string, 'lost'?];

/** Remedies by error code, or by the class that a code begins with. */
const REMEDIES: Readonly<Record<string, Remedy>> = {
  ECONNREFUSED: ['unreachable', 'refuses connections; start the server, or correct its address'],
  ENOTFOUND: ['unreachable', 'has an unknown host name; correct its address'],
  EAI_AGAIN: ['unreachable', 'has a host name that cannot be resolved now; check the DNS server'],
  EHOSTUNREACH: ['unreachable', 'cannot be reached from here; check the network'],
  ENETUNREACH: ['unreachable', 'cannot be reached from here; check the network'],
  ETIMEDOUT: [
    'unreachable',
    'does not respond; check that it runs and that no firewall is in between',
  ],
  ECONNRESET: ['unreachable', 'closed the connection; see the server log', 'lost'],
  EPIPE: ['unreachable', 'closed the connection; see the server log', 'lost'],
  WAITED: [
    'busy',
    'has all connections in use, and none became free in time; raise --connections, or find the slow statements',
  ],
  STARTUP: [
    'denied',
    'is behind a pooler that refuses timeouts at startup; list them in its ignore_startup_parameters (docs/howto/pgbouncer.md)',
  ],
  PASSWORD: ['denied', 'needs a password; set PGPASSWORD or use ~/.pgpass'],
  PLAIN: [
    'denied',
    'does not support TLS; turn on its ssl setting, or remove sslmode from the address',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'denied',
    'has a certificate for another host name; use that name in the address',
  ],
  TLS: ['denied', 'has a certificate that is not trusted; pass its authority as sslrootcert'],
  '08P01': ['unreachable', 'or a pooler in front of it refused the connection; see its log'],
  '08': ['unreachable', 'closed the connection; see the server log', 'lost'],
  '0A000': ['busy', 'has changed since a statement was prepared; try again', 'lost'],
  '22021': ['unusable', 'cannot store a character of this text; use a database with encoding UTF8'],
  '22P05': ['unusable', 'cannot store a character of this text; use a database with encoding UTF8'],
  '26000': ['busy', 'has lost a prepared statement; see docs/howto/pgbouncer.md', 'lost'],
  '42P06': [
    'foreign',
    'has a schema memory_gateway that this program did not make; name another database, or rename that schema',
  ],
  '42P05': [
    'busy',
    'has a prepared statement of another client; see docs/howto/pgbouncer.md',
    'lost',
  ],
  '28P01': ['denied', 'refuses this user or password; correct PGPASSWORD or ~/.pgpass'],
  '28': [
    'denied',
    'does not let this user in from here; correct the user or pg_hba.conf, or add sslmode to the address if it needs TLS',
  ],
  '3D000': ['missing', 'does not exist; create it with: createdb'],
  '3F000': ['missing', 'has no Memory Gateway schema; create it with: memory-gateway migrate'],
  '42P01': ['missing', 'lacks a table; update its schema with: memory-gateway migrate'],
  '42703': ['damaged', 'lacks a column; find what is missing with: memory-gateway verify'],
  '42883': ['damaged', 'lacks a function; find what is missing with: memory-gateway verify'],
  '42501': [
    'denied',
    'does not allow this user to do that; grant the rights in docs/howto/postgres.md',
  ],
  '25006': [
    'denied',
    'is read-only here: a replica, or a user or address with default_transaction_read_only; serve the app as memory_app or turn it off with --app off, and for other writes connect to the primary as the owner',
  ],
  '53100': ['full', 'cannot be written: its disk is full; free some space'],
  '53300': ['busy', 'has no connections left; raise max_connections, or lower --connections'],
  '53': ['full', 'is out of memory or disk space; see the server log'],
  '55P03': ['locked', 'is locked by another program; close that program and try again'],
  '57014': ['busy', 'took too long or cancelled the statement; see the server log'],
  '57P03': ['unreachable', 'is starting up or shutting down; try again'],
  '57P': ['unreachable', 'was stopped or restarted; try again', 'lost'],
  '40': ['busy', 'cancelled the statement in favour of another one; try again'],
  '58': ['damaged', 'cannot read one of its files; see the server log'],
  XX: ['damaged', 'is damaged; see the server log'],
};

/** Messages of node-postgres and poolers that have no code, or an ambiguous one. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/timeout exceeded when trying to connect/, 'WAITED'],
  [/due to connection timeout|timeout expired|Query read timeout/, 'ETIMEDOUT'],
  [/Connection terminated|Client has encountered a connection error|not queryable/, 'ECONNRESET'],
  [/unsupported startup parameter/, 'STARTUP'],
  [/^SASL: .*password must be/, 'PASSWORD'],
  [/server does not support SSL/, 'PLAIN'],
];

/**
 * Turns an error of PostgreSQL into a `Refusal`. Without a remedy the refusal has what PostgreSQL says, and its
 * cause lacks the fields that may contain data of a row (detail, position, query). Returns all other errors as
 * they are.
 */
export function explainPostgres(error: unknown, address: string): unknown {
  if (error instanceof Refusal || !(error instanceof Error)) return error;
  const [code, sentence] = findRemedy(error) ?? [];
  if (code !== undefined)
    return new Refusal(`${showDatabase(address)} ${sentence}.`, { code, cause: error });
  if (!('severity' in error)) return error;
  const cause = Object.assign(new Error(error.message), { code: errorCode(error) });
  return new Refusal(
    `${showDatabase(address)} cannot do that, PostgreSQL says: ${error.message}; see the server log.`,
    { code: 'unusable', cause },
  );
}

/**
 * Returns whether an error, explained or not, means that the connection or its prepared statements were
 * lost. A read can then be retried.
 */
export function isConnectionLost(error: unknown): boolean {
  return findRemedy(error)?.[2] === 'lost';
}

/** Returns the code of an error of PostgreSQL (five characters) or of the system, also of a `Refusal`'s cause. `''` if there is none. */
export function errorCode(error: unknown): string {
  if (error instanceof Refusal) return errorCode(error.cause);
  if (!(error instanceof Error)) return '';
  const said = MESSAGES.find(([text]) => text.test(error.message))?.[1];
  if (said !== undefined) return said;
  const { code } = error as { code?: unknown };
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]); // one error for each address of the host
  if (typeof code !== 'string') return '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return code;
  return /CERT|ERR_TLS|ERR_SSL|SIGNATURE$/.test(code) ? 'TLS' : code;
}

function findRemedy(error: unknown): Remedy | undefined {
  const code = errorCode(error);
  const keys = [code, code.slice(0, 3), code.slice(0, 2)]; // the most specific first
  return REMEDIES[keys.find((key) => Object.hasOwn(REMEDIES, key)) ?? ''];
}

/** Creates the refusal for a database with another schema version. */
export function wrongSchema(address: string, found: number, wanted: number): Refusal {
  const name = showDatabase(address);
  return found > wanted
    ? new Refusal(
        `${name} has schema version ${found}, but this program knows only ${wanted}; use a newer version of the program.`,
        { code: 'newer' },
      )
    : new Refusal(
        `${name} has schema version ${found}, but this program needs ${wanted}; run: ${commandOn(name, 'migrate')}`,
        { code: found === 0 ? 'missing' : 'older' },
      );
}
