// Set-up for programs that embed the gateway: creates the database, accounts, keys and memories, as the command line does.

import * as v from 'valibot';

import { Label } from './contract/schemas/label.ts';
import { AccountId, Memory } from './contract/schemas/memory.ts';
import { ScopeName, ScopeTags } from './contract/schemas/parameters.ts';
import { suggestName } from './contract/suggest-name.ts';
import { toMemory } from './formats/draft.ts';
import { issueText } from './formats/issue-text.ts';
import { memory as ourFormat } from './formats/products/memory.ts';
import { readAsUtc } from './formats/time/product-time.ts';
import type { IssuedApiKey } from './store/accounts/api-keys.ts';
import type { Upgraded } from './store/engine.ts';
import { engineOf } from './store/engines.ts';
import type { WriteResult } from './store/import/memory-row.ts';
import { Refusal } from './store/refusal.ts';
import type { Reads } from './store/scope.ts';

/** An account to create. */
export interface AccountToCreate {
  readonly name: string;
  /** Default: a new UUIDv7. */
  readonly id?: string | undefined;
}

/** A key to create. */
export interface KeyToCreate {
  readonly account_id: string;
  /** What the key is for. */
  readonly label: string;
  /** When it expires. Default: never. */
  readonly expires_at?: Date | undefined;
  /** What it may read. Default: everything. */
  readonly scope?: ScopeOfKey | undefined;
}

/** What a key may read of its account. */
export interface ScopeOfKey {
  /** `summaries`: everything except transcripts. Default: `all`. */
  readonly reads?: Reads | undefined;
  /** Only memories that started at this time or later. Default: from the first on. */
  readonly started_after?: Date | undefined;
  /** Only memories that started before this time. Default: to the latest. */
  readonly started_before?: Date | undefined;
  /** Only memories from this product, such as `limitless`. Default: from any. */
  readonly source?: string | undefined;
  /** Only memories with all of these tags. Default: with any. */
  readonly tags?: readonly string[] | undefined;
}

/** A memory to import. What is left out is derived, or empty. */
export interface MemoryToImport
  extends
    Pick<Memory, 'id' | 'transcript'>,
    Partial<Pick<Memory, 'name' | 'is_processing' | 'duration_seconds'>> {
  /** A date, or a text such as `2026-11-20T10:00:00+01:00`. Without an offset it is UTC. */
  readonly started_at: Date | string;
  /** Default: when it started, and the duration later. */
  readonly ended_at?: Date | string | undefined;
  readonly summary?: Partial<Memory['summary']> | undefined;
}

const Account = v.strictObject({
  name: described(Label),
  id: v.optional(described(AccountId, '1 to 128 letters, digits, ".", "_", "~" or "-"')),
});

const Scope = v.pipe(
  v.strictObject({
    reads: v.optional(v.picklist(['all', 'summaries']), 'all'),
    started_after: v.optional(v.date()),
    started_before: v.optional(v.date()),
    source: v.optional(described(ScopeName), undefined),
    tags: v.optional(ScopeTags, []),
  }),
  v.transform(({ started_after, started_before, source = null, ...rest }) => ({
    ...rest,
    source,
    started_after: started_after?.getTime() ?? null,
    started_before: started_before?.getTime() ?? null,
  })),
  v.check(
    ({ started_after, started_before }) =>
      (started_after ?? -Infinity) < (started_before ?? Infinity),
    'started_before must be after started_after',
  ),
);

const Key = v.strictObject({
  account_id: v.string(),
  label: described(Label),
  expires_at: v.optional(v.date()),
  scope: v.optional(Scope),
});

/**
 * Creates a database, or brings its schema up to date. `database` is the path of a SQLite file or the address of
 * a PostgreSQL database. A file that is changed gets a safety copy beside it. Rejects with `Refusal`.
 */
export async function migrate(database: string): Promise<Upgraded> {
  return engineOf(database).upgrade({});
}

/** The accounts of a database. */
export const accounts = {
  /** Creates an account and returns its id. Rejects with `Refusal` if the id is taken. */
  create: async (database: string, account: AccountToCreate): Promise<string> => {
    const created = { ...read(Account, account, 'accounts.create'), created_by } as const;
    return engineOf(database).withWriter((writer) => writer.accounts.create(created));
  },
};

const created_by = 'command line';

/** The API keys of a database. */
export const keys = {
  /** Creates a key. Its text is not stored, so show it once. Rejects with `Refusal` if there is no such account. */
  create: async (database: string, key: KeyToCreate): Promise<IssuedApiKey> => {
    const { expires_at, ...rest } = read(Key, key, 'keys.create');
    const created = { ...rest, expires_at: expires_at?.getTime() ?? null };
    return engineOf(database).withWriter(async (writer) => {
      await writer.accounts.require(created.account_id);
      return writer.keys.create(created);
    });
  },
};

/**
 * Adds memories to an account, or replaces those with the same id: all or none. Returns what happened to each.
 * Rejects with `Refusal` if there is no such account, or a memory cannot be read.
 */
export async function importMemories(
  database: string,
  account_id: string,
  memories: readonly MemoryToImport[],
): Promise<WriteResult[]> {
  const given: unknown = memories; // a program may be written without types
  if (!Array.isArray(given))
    throw new Refusal('importMemories takes a list of memories; put one memory into [ and ].');
  const valid = given.map(readMemory);
  return engineOf(database).withWriter(async (writer) => {
    await writer.accounts.require(account_id);
    const { eraseExpired } = await import('./store/bin/bin.ts');
    await eraseExpired(writer);
    return writer.memories.putAll(account_id, valid);
  });
}

/** Reads a memory as the command `import` does. Throws `Refusal` with its place in the list. */
function readMemory(given: unknown, index: number): Memory {
  const plain = withPlainTimes(given);
  const { id, summary } = Object(plain) as Readonly<Record<string, unknown>>;
  const unknown = unknownOf(plain, FIELDS) ?? unknownOf(summary, SUMMARY_FIELDS);
  const outcome = unknown === undefined ? readKnown(plain) : { reason: unknown };
  if ('memory' in outcome) return outcome.memory;
  const which = typeof id === 'string' ? ` (${JSON.stringify(id.slice(0, 80))})` : '';
  const reason = outcome.reason.replace(/^it looks like .*, but has/, 'it has');
  const end = reason.endsWith('?') ? '' : '.';
  throw new Refusal(`memories[${index}]${which}: ${reason}${end} Nothing was imported.`);
}

function readKnown(plain: unknown) {
  const parsed = v.safeParse(ourFormat.item, plain);
  return parsed.success
    ? toMemory(parsed.output, readAsUtc)
    : { reason: issueText(parsed.issues[0]) };
}

/** The fields of a memory to import: those of the API, and the details that `export` writes. */
const FIELDS = [...Object.keys(Memory.entries), 'details'];
const SUMMARY_FIELDS = Object.keys(Memory.entries.summary.entries);

/** Says which property is not one of `names`: a misspelt one would be lost in silence. */
function unknownOf(value: unknown, names: readonly string[]): string | undefined {
  const given = Object.keys(Object(value) as object);
  const name = typeof value === 'object' ? given.find((each) => !names.includes(each)) : undefined;
  if (name === undefined) return undefined;
  const meant = suggestName(name, names);
  const advice = meant === undefined ? '' : `. Did you mean "${meant}"?`;
  return `it has a property "${name.slice(0, 80)}", which is not known${advice}`;
}

/** Writes dates as text. */
function withPlainTimes(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, withoutDate(value)]),
  );
}

function withoutDate(value: unknown): unknown {
  if (!(value instanceof Date)) return value;
  return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
}

/** Returns a schema whose error says what it takes. */
function described(
  schema: v.GenericSchema<string>,
  what = v.getDescription(schema),
): v.GenericSchema<string> {
  return v.pipe(
    v.string(),
    v.check((text) => v.is(schema, text), `it must be ${what}`),
  );
}

/** Reads a value from a program, which may be written without types. Throws `Refusal`. */
function read<T extends v.GenericSchema>(
  schema: T,
  value: unknown,
  name: string,
): v.InferOutput<T> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const reason =
    issue.expected === 'never'
      ? `it has a property "${v.getDotPath(issue)}", which is not known`
      : issueText(issue);
  throw new Refusal(`${name} cannot use this: ${reason}.`);
}
