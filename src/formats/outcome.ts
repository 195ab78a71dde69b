// What an item becomes: a memory, parts that wait for others, or the reason why it is neither.

import type { ReadDetails } from '../contract/schemas/details.ts';
import type { Memory } from '../contract/schemas/memory.ts';
import type { Packer } from '../lib/packed-bytes.ts';
import { toReadDetails, withoutEmails } from './details.ts';
import { toMemory } from './draft.ts';
import type { Draft, History, ItemFormat, JoinRule, Part, Parts, TextFormat } from './format.ts';
import type { Original } from './original.ts';
import type { Columns } from './tables/fields.ts';
import type { ReadLocal } from './time/product-time.ts';

/** The formats to try, and the parser of times without an offset. */
export interface ReadOptions {
  readonly items: readonly ItemFormat[];
  readonly texts: readonly TextFormat[];
  readonly local: ReadLocal;
  /** The encoding of files without a byte order mark, as the Encoding Standard names it. Default: UTF-8. */
  readonly encoding?: string | undefined;
  /** The columns of tables. With it, files are read as CSV. */
  readonly columns?: Columns | undefined;
  /** Whether items without a transcript are read as well: their name, times and summary. */
  readonly withoutTranscript?: boolean | undefined;
  /** Whether items without a transcript are skipped, not rejected, because another run will ask for them. */
  readonly isRepeated?: boolean | undefined;
  /** Whether the details name e-mail addresses. Default: they do not. */
  readonly keepsEmails?: boolean | undefined;
  /** Creates what packs a long original while it is read. Default: outcomes have no original. */
  readonly createPacker?: (() => Packer) | undefined;
  /** The time zone of `local`. Default: UTC. */
  readonly timezone?: string | undefined;
}

/** A memory that was read, and the name of its format. */
export interface ReadMemory {
  readonly memory: Memory;
  readonly format: string;
  readonly hasTranscript: boolean;
  /** What its file states besides. */
  readonly details: ReadDetails;
  readonly history?: History | undefined;
  /** Whether its start was derived from the last change of its file. */
  readonly isDatedByFile?: boolean | undefined;
  /** What it was made from, if that is wanted. */
  readonly original?: Original | undefined;
}

/** Parts of memories with the id that they share. `createJoiner` joins them. */
export interface WaitingParts {
  readonly parts: readonly (Part & { readonly id: string })[];
  readonly rule: JoinRule;
}

/** Why a run that is repeated skips an item. */
export const NO_TRANSCRIPT_YET = 'a recording without a transcript, which the next run looks for';

/** Converts a draft to a memory. Without a transcript it is rejected, unless notes alone are wanted. */
export function draftToOutcome(draft: Draft, format: string, reading: ReadOptions) {
  const { local, withoutTranscript, isRepeated } = reading;
  if (draft.lacks !== undefined && withoutTranscript !== true)
    return isRepeated === true ? { skipped: NO_TRANSCRIPT_YET } : { reason: draft.lacks };
  const made = toMemory(draft, local);
  if ('reason' in made) return made;
  const { transcript, details: stated = {}, own_details } = draft;
  const id = draft.has_file_id === true ? undefined : draft.id;
  const details = own_details ?? toReadDetails(stated, { format, id, transcript });
  return {
    format,
    hasTranscript: draft.lacks === undefined,
    isDatedByFile: draft.is_dated_by_file,
    details: reading.keepsEmails === true ? details : withoutEmails(details),
    history: draft.history,
    ...made,
  };
}

const NO_FOLDER = 'it is one of several files in a folder; give the folder';

/** Gives each part the id that it shares with others. */
export function toWaiting(
  { parts, rule }: Parts,
  { name, place = name }: { readonly name: string; readonly place?: string },
) {
  const folder = place.slice(0, Math.max(0, place.lastIndexOf('/')));
  const waiting = parts.map((part) => ({ ...part, id: String(part.id ?? folder).trim() }));
  if (waiting.every(({ id }) => id !== '')) return { parts: waiting, rule };
  return { reason: parts.some(({ id }) => id === undefined) ? NO_FOLDER : 'its id is empty' };
}
