// Migrations: the numbered files of an engine's folder in sql/, in order.

import { listOwn, readOwn } from '../files.ts';

const SQL = new URL('../../sql/', import.meta.url);

/** Where memories may be kept; also the name of the engine's folder in `sql/`. */
export type Engine = 'sqlite' | 'postgres';

/** A file that brings a schema to its version. */
export interface Migration {
  readonly name: string;
  readonly version: number;
}

/** The migrations of an engine, in order. */
export function migrationsOf(engine: Engine): readonly Migration[] {
  return listOwn(new URL(`${engine}/`, SQL))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ name, version: Number.parseInt(name, 10) }));
}

/** Reads a file of an engine's folder. */
export function readSql(engine: Engine, name: string): string {
  return readOwn(new URL(`${engine}/${name}`, SQL)).toString();
}
