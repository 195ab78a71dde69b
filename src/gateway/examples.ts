// Examples for the OpenAPI document: two short memories of the fixtures, one of them still processing.

import { readFileSync } from 'node:fs';

import * as v from 'valibot';

import { Memory } from '../contract/memory.ts';
import type { Examples } from '../contract/openapi.ts';

const FILE = new URL('../../fixtures/memories/mira.json', import.meta.url);

/** Reads an answer of each endpoint from the fixtures, which come with the package. */
export function readExamples() {
  const memories = v.parse(v.array(Memory), JSON.parse(readFileSync(FILE, 'utf8')));
  const [finished, processing] = [false, true].map((is_processing) =>
    memories
      .filter((memory) => memory.is_processing === is_processing)
      .reduce((a, b) => (b.transcript.length < a.transcript.length ? b : a)),
  ) as [Memory, Memory];
  const list = [finished, processing].toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1));
  const changes = list.toReversed().map(({ id, ended_at }) => ({
    memory_id: id,
    change: 'upsert' as const,
    changed_at: ended_at,
  }));
  return { memories: { list, get: finished }, changes: { list: changes } } satisfies Examples;
}
