// The SQL files of an engine in sql/: its numbered migrations, and single files by name.

import { listOwn, readOwn } from '../../files.ts';

/** The name of an engine's folder in `sql/`. */
export type EngineFolder = 'sqlite' | 'postgres';

/** A file that brings a schema to the version in its name. */
export interface Migration {
  readonly name: string;
  readonly version: number;
}

/** Lists the migrations of an engine, in order. */
export function listMigrations(engine: EngineFolder): readonly Migration[] {
  return listOwn(`sql/${engine}/`)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ name, version: Number.parseInt(name, 10) }));
}

/** Reads a file from an engine's folder. */
export function readSql(engine: EngineFolder, name: string): string {
  return readOwn(`sql/${engine}/${name}`).toString();
}
