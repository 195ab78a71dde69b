// Where an import reads from: files, folders, archives and standard input.

import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';

import type { Bytes } from '../../formats/bytes.ts';
import type { MaybeTime } from '../../formats/time.ts';
import { Refusal } from '../../store/refusal.ts';

/** A file to be read. */
export interface SourceFile {
  /** Its name, with the folders below the one that was named. */
  readonly name: string;
  /** How a person finds it. */
  readonly place: string;
  /** In bytes, where it is known. */
  readonly size: number | undefined;
  readonly started_at: MaybeTime;
  open(): Bytes;
}

/** What was found: a file, or what is none and why. */
export type Found =
  | SourceFile
  | { readonly place: string; readonly passed_over: string }
  | { readonly place: string; readonly reason: string };

/** How sources are read. */
export interface SourceOptions {
  readonly startedAt?: string | undefined;
  readonly stdin: Bytes;
}

/** Finds the files that paths name. */
export async function* sourcesOf(
  paths: readonly string[],
  { startedAt, stdin }: SourceOptions,
): AsyncGenerator<Found> {
  for (const path of paths) {
    if (path === '-') {
      yield { name: '-', place: '-', size: undefined, started_at: startedAt, open: () => stdin };
      continue;
    }
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) throw new Refusal(`There is no file ${path}.`);
    yield {
      name: basename(path),
      place: path,
      size: stat.size,
      started_at: startedAt ?? stat.mtimeMs,
      open: () => createReadStream(path, { highWaterMark: 1 << 18 }),
    };
  }
}
