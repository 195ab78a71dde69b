// Places in memories as agents write them: an id with lines, such as `2026-11-18-standup#L120-L128`.

import * as v from 'valibot';

import { Failure } from '../contract/failure.ts';
import { MemoryId } from '../contract/schemas/memory.ts';

/** A memory, or a part of its transcript. */
export interface MemoryPlace {
  readonly memory_id: string;
  /** The number of the first line, counted from 1. Without it, the place is the whole memory. */
  readonly first?: number;
  /** The number of the last line. Without it, the part ends with the transcript. */
  readonly last?: number;
  /** How many characters of the first line to skip. */
  readonly skip?: number;
}

const SCHEME = 'memory://';
const PLACE = /^([^#]*)(?:#L(\d{1,9})(?:@(\d{1,9}))?(?:-(?:L(\d{1,9}))?)?)?$/i;

/** Reads a place. Throws a 422 that shows the form. */
export function readPlace(id: string): MemoryPlace {
  const [, memory_id = '', first, skip, last] =
    PLACE.exec(id.startsWith(SCHEME) ? id.slice(SCHEME.length) : id.trim()) ?? [];
  if (!v.is(MemoryId, memory_id) || first === '0')
    throw new Failure(
      422,
      'The parameter "id" takes the id of a memory, alone or with lines, such as "standup-2026-11-18", "standup-2026-11-18#L120" or "standup-2026-11-18#L120-L160".',
    );
  if (first === undefined) return { memory_id };
  const range = /-/.test(id.slice(id.indexOf('#')));
  const from = Number(first);
  const to = last === undefined ? undefined : Number(last);
  if (to !== undefined && to < from)
    throw new Failure(
      422,
      `The parameter "id" ends with line ${to}, before its first line ${from}. Write the lines in order.`,
    );
  return {
    memory_id,
    first: from,
    ...(range ? (to === undefined ? {} : { last: to }) : { last: from }),
    ...(skip === undefined ? {} : { skip: Number(skip) }),
  };
}

/** Writes a place, such as `standup#L12-L14`, or `standup#L12-` up to the end. */
export function writePlace({ memory_id, first, last, skip }: MemoryPlace): string {
  if (first === undefined) return memory_id;
  const from = `${memory_id}#L${first}${skip === undefined ? '' : `@${skip}`}`;
  if (last === undefined) return `${from}-`;
  return last === first ? from : `${from}-L${last}`;
}

/** Returns the URL of a place: of the reader if it has one, otherwise of the resource. */
export function urlOfPlace(place: MemoryPlace, readerUrl: string | undefined): string {
  const { memory_id, first, last = first } = place;
  if (readerUrl === undefined) return `${SCHEME}${writePlace(place)}`;
  const lines = first === undefined ? '' : first === last ? `#L${first}` : `#L${first}-${last}`;
  return `${readerUrl}/${memory_id}${lines}`;
}
