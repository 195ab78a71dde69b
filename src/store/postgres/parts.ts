// Parts of the schema, compared: those that the migrations make, by their text, and those that a database has.

import { REBUILD, show } from '../finding.ts';
import { migrationsOf, readSql } from '../migrations.ts';
import type { Client } from './asking.ts';

/** A part that there is. */
interface Part {
  readonly type: string;
  readonly name: string;
  /** Whether it does its work: an index may be invalid, a trigger or a wall of rows switched off. */
  readonly works: boolean;
  /** What a function does. */
  readonly text: string | null;
}

/** Finds what is missing of the schema, what is changed or does nothing, and triggers that are not ours. */
export async function* schemaFaults(client: Client): AsyncGenerator<string> {
  const { rows } = await client.query<Part>(readSql('postgres', 'verify/parts.sql'));
  const there = new Map(rows.map((part) => [nameOf(part), part]));
  for (const { text, ...wanted } of ours()) {
    const name = nameOf(wanted);
    const part = there.get(name);
    if (part === undefined) yield `The ${name} is missing; ${REBUILD}.`;
    else if (!part.works) yield `The ${name} is switched off, or invalid; ${REBUILD}.`;
    else if (part.text !== text) yield `The ${name} is not as this program makes it; ${REBUILD}.`;
    there.delete(name);
  }
  for (const { type, name } of there.values())
    if (type === 'trigger') yield `The trigger ${show(name)} is not of this program; ${REBUILD}.`;
}

function nameOf({ type, name }: Pick<Part, 'type' | 'name'>): string {
  return `${type} ${name}`;
}

/** What the migrations make: no definition is compared as PostgreSQL writes it, which each version does in its own way. */
function* ours(): Generator<Omit<Part, 'works'>> {
  const sql = migrationsOf('postgres')
    .map(({ name }) => readSql('postgres', name))
    .join('\n');
  for (const [, name = '', body = ''] of sql.matchAll(/^CREATE TABLE (\w+) \(([^]*?)^\);/gm))
    yield* partsOfTable(name, body);
  for (const [, name = ''] of sql.matchAll(/^CREATE (?:UNIQUE )?INDEX (\w+)/gm))
    yield { type: 'index', name, text: null };
  for (const [, name = ''] of sql.matchAll(/^CREATE TRIGGER (\w+)/gm))
    yield { type: 'trigger', name, text: null };
  for (const [, name = '', table = ''] of sql.matchAll(/^CREATE POLICY (\w+) ON (\w+)/gm))
    yield { type: 'policy', name: `${table}.${name}`, text: null };
  for (const [, name = '', text = ''] of sql.matchAll(
    /^CREATE FUNCTION (\w+)\([^]*?\$\$([^]*?)\$\$/gm,
  ))
    yield { type: 'function', name, text };
}

function* partsOfTable(table: string, body: string): Generator<Omit<Part, 'works'>> {
  const index = (end: string) => ({ type: 'index', name: `${table}_${end}`, text: null });
  yield { type: 'table', name: table, text: null };
  for (const [line, column = ''] of body.matchAll(/^ {2}([a-z]\w*) .*/gm)) {
    yield { type: 'column', name: `${table}.${column}`, text: null };
    if (line.includes(' UNIQUE')) yield index(`${column}_key`);
  }
  if (body.includes('PRIMARY KEY')) yield index('pkey');
  for (const [, columns = ''] of body.matchAll(/^ {2}UNIQUE \((.*)\)/gm))
    yield index(`${columns.replaceAll(', ', '_')}_key`);
}
