// The names by which memories can be limited: those of their sources, and those of their tags.

import { api } from './session.ts';

/** The names of all sources, and of all tags. */
export interface TagNames {
  readonly source: readonly string[];
  readonly tag: readonly string[];
}

/** Reads the names. Rejects with `Failure`. */
export async function readTagNames(): Promise<TagNames> {
  const all = await api.tags.list();
  const namesOf = (isSource: boolean) =>
    all.filter(({ kind }) => (kind === 'source') === isSource).map(({ name }) => name);
  return { source: namesOf(true), tag: namesOf(false) };
}
