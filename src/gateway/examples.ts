// Examples for the OpenAPI document: two short memories of the fixtures, one still processing, and how they change.

import * as v from 'valibot';

import type { Change } from '../contract/change.ts';
import { Memory } from '../contract/memory.ts';
import type { Examples } from '../contract/openapi.ts';
import { readOwn } from '../files.ts';

const FILE = new URL('../../fixtures/memories/mira.json', import.meta.url);

/** Reads an answer of each endpoint from the fixtures, which come with the package. */
export function readExamples() {
  const memories = v.parse(v.array(Memory), JSON.parse(readOwn(FILE).toString()));
  const [finished, processing] = [false, true].map((is_processing) =>
    memories
      .filter((memory) => memory.is_processing === is_processing)
      .reduce((a, b) => (b.transcript.length < a.transcript.length ? b : a)),
  ) as [Memory, Memory];
  const list = [finished, processing].toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1));
  const changes: Change[] = [
    { memory_id: processing.id, change: 'upsert', changed_at: after(processing, 1) },
    { memory_id: finished.id, change: 'delete', changed_at: after(processing, 60) },
  ];
  return { memories: { list, get: finished }, changes: { list: changes } } satisfies Examples;
}

/** A time some minutes after the end of a memory. */
function after({ ended_at }: Memory, minutes: number): string {
  return new Date(Date.parse(ended_at) + minutes * 60_000).toISOString();
}
