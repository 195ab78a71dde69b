// Compares the schema of a PostgreSQL database with the one that the migrations create.

import { DROP, REBUILD, show } from '../check/findings.ts';
import { listMigrations, readSql } from '../sql/migrations.ts';
import type { Client } from './servers/connection.ts';

/** An object of the schema. */
interface Part {
  readonly type: string;
  readonly name: string;
  /** False for an invalid index, a disabled trigger, or disabled row-level security. */
  readonly works: boolean;
  /** The source of a function. */
  readonly text: string | null;
}

/** Yields missing, changed and disabled objects, and all objects in our schema that are not ours. */
export async function* schemaFaults(client: Client): AsyncGenerator<string> {
  const { rows } = await client.query<Part>(readSql('postgres', 'verify/parts.sql'));
  const there = new Map(rows.map((part) => [nameOf(part), part]));
  // A later migration may create an object again.
  const wanted = new Map(Array.from(ours(), (part) => [nameOf(part), part]));
  for (const [name, { text }] of wanted) {
    const part = there.get(name);
    if (part === undefined) yield `The ${name} is missing; ${REBUILD}.`;
    else if (!part.works) yield `The ${name} is disabled or invalid; ${REBUILD}.`;
    else if (part.text !== text)
      yield `The ${name} differs from the one that this program creates; ${REBUILD}.`;
    there.delete(name);
  }
  for (const part of journal()) there.delete(nameOf(part));
  // Functions can have one name and other arguments, and triggers one name on two tables.
  const names = rows.map(nameOf);
  for (const name of new Set(names.filter((each, i) => names.indexOf(each) !== i)))
    yield `The ${name} exists twice, and one does not belong to this program; ${DROP}.`;
  for (const { type, name } of there.values())
    yield `The ${type} ${show(name)} does not belong to this program; ${DROP}.`;
}

/** Yields the parts of the table that `copy` adds to its target. */
function* journal() {
  const sql = readSql('postgres', 'copy/copies.sql');
  for (const [, name = '', body = ''] of sql.matchAll(
    /^CREATE TABLE IF NOT EXISTS memory_gateway\.(\w+) \(([^]*?)^\);/gm,
  ))
    yield* partsOfTable(name, body);
}

function nameOf({ type, name }: Pick<Part, 'type' | 'name'>): string {
  return `${type} ${name}`;
}

/** Yields the objects that the migrations create. Only function sources are compared: each version of PostgreSQL prints other definitions its own way. */
function* ours(): Generator<Omit<Part, 'works'>> {
  const sql = listMigrations('postgres')
    .map(({ name }) => readSql('postgres', name))
    .join('\n');
  for (const [, name = '', body = ''] of sql.matchAll(/^CREATE TABLE (\w+) \(([^]*?)^\);/gm))
    yield* partsOfTable(name, body);
  for (const [, table = '', changes = ''] of sql.matchAll(/^ALTER TABLE (\w+)([^;]*);/gm))
    for (const [, column = ''] of changes.matchAll(/\bADD COLUMN (\w+)/g))
      yield { type: 'column', name: `${table}.${column}`, text: null };
  for (const [, name = ''] of sql.matchAll(/^CREATE (?:UNIQUE )?INDEX (\w+)/gm))
    yield { type: 'index', name, text: null };
  for (const [, name = ''] of sql.matchAll(/^CREATE TRIGGER (\w+)/gm))
    yield { type: 'trigger', name, text: null };
  for (const [, name = '', table = ''] of sql.matchAll(/^CREATE POLICY (\w+) ON (\w+)/gm))
    yield { type: 'policy', name: `${table}.${name}`, text: null };
  for (const [, name = '', text = ''] of sql.matchAll(
    /^CREATE (?:OR REPLACE )?FUNCTION (\w+)\([^]*?\$\$([^]*?)\$\$/gm,
  ))
    yield { type: 'function', name, text };
}

function* partsOfTable(table: string, body: string): Generator<Omit<Part, 'works'>> {
  const index = (end: string) => ({ type: 'index', name: `${table}_${end}`, text: null });
  yield { type: 'table', name: table, text: null };
  for (const [line, column = ''] of body.matchAll(/^ {2}([a-z]\w*) .*/gm)) {
    yield { type: 'column', name: `${table}.${column}`, text: null };
    if (line.includes(' UNIQUE')) yield index(`${column}_key`);
    if (line.includes(' IDENTITY'))
      yield { type: 'sequence', name: `${table}_${column}_seq`, text: null };
  }
  if (body.includes('PRIMARY KEY')) yield index('pkey');
  for (const [, columns = ''] of body.matchAll(/^ {2}UNIQUE \((.*)\)/gm))
    yield index(`${columns.replaceAll(', ', '_')}_key`);
}
