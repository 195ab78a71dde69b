// Says of a memory that was read how its id identifies its recording.

import type { Memory } from '../../contract/schemas/memory.ts';
import { toFileId } from '../../formats/id.ts';
import type { ReadMemory, ReadOptions } from '../../formats/outcome.ts';
import { readProductTime, type ReadLocal } from '../../formats/time/product-time.ts';
import type { GivenDetails } from '../../store/details/details-row.ts';
import type { ImportedMemory } from '../../store/import/rules.ts';
import type { FileIdentity } from '../../store/import/same-recording.ts';
import type { SourceFile } from './sources.ts';

/** A memory that was read, and how far its id is its own. */
export interface Identified extends Omit<ImportedMemory, 'account_id'> {
  readonly format: string;
}

/** How an original was read. */
export interface Reading {
  /** Whether it has parts that were joined. */
  readonly joined?: boolean | undefined;
  readonly name?: string | undefined;
  readonly full_name?: string | undefined;
  readonly started_at?: SourceFile['started_at'];
  readonly modified?: SourceFile['started_at'];
  readonly dated_by?: SourceFile['dated_by'];
  readonly timezone?: string | undefined;
  readonly encoding?: string | undefined;
  /** Whether its e-mail addresses are kept. */
  readonly emails?: true | undefined;
}

/** Says why the id of a memory may belong to another recording as well. The ids of our own format are unique. */
export function identify(
  { memory, format, hasTranscript, isDatedByFile, details, history, original }: ReadMemory,
  file: SourceFile | undefined,
  reading: ReadOptions,
): Identified {
  const { local } = reading;
  const given: GivenDetails = {
    read: details,
    original: original && { ...original, reading: JSON.stringify(readingOf(file, reading)) },
    corrections: history?.corrections,
    imported_at: timeOf(history?.imported_at),
    yields: hasTranscript ? (format === 'memory' ? 'same' : undefined) : 'always',
  };
  const read = { memory, format, lacksTranscript: !hasTranscript, details: given };
  const identity = file && identityOf(file, memory, local);
  if (identity)
    return { ...read, file: { ...identity, isDated: identity.isDated || isDatedByFile === true } };
  return { ...read, isNumbered: format !== 'memory' && /^\d+$/.test(memory.id) };
}

function timeOf(instant: string | null | undefined): number | null | undefined {
  return typeof instant === 'string' ? Date.parse(instant) : instant;
}

/** Returns how a file was read, to read its original again. Parts of several files have none. */
function readingOf(file: SourceFile | undefined, reading: ReadOptions): Reading {
  const { timezone, encoding } = reading;
  const emails = reading.keepsEmails === true ? true : undefined;
  if (file === undefined) return { joined: true, timezone, emails };
  const { name, fullName: full_name, started_at, modified, dated_by } = file;
  return { name, full_name, started_at, modified, dated_by, timezone, encoding, emails };
}

/** The endings of files that recognisers and meeting programs write of one recording, the richest first. */
const TOGETHER = ['json', 'vtt', 'srt', 'tsv', 'docx', 'txt'];

/** What browsers and systems add to the name of a second copy: `Talk (1).vtt`, `Talk - Copy (2).vtt`, `Copy of Talk.vtt`. */
const COPY =
  /^copy of |(?: ?\(\d{1,3}\)|(?: -)? \(?(?:copy|copie|copia|kopie)\)?(?: \(?\d{1,3}\)?)?)$/i;

/** Returns the identity of a file whose name is the id of its memory. */
function identityOf(
  { fullName, modified }: SourceFile,
  { id, started_at }: Memory,
  local: ReadLocal,
): FileIdentity | undefined {
  const names = fullName.split('/');
  if (fullName === '' || id !== toFileId(names.at(-1) ?? '')) return undefined;
  const [, stem = '', ending = ''] = /^(.*)\.(\w+)$/.exec(names.at(-1) ?? '') ?? [];
  const paths = names.slice(0, -1).map((_, i) => names.slice(i).join('/'));
  const date = modified ? readProductTime(modified, local) : undefined;
  return {
    otherIds: paths.toReversed().map(toFileId),
    siblingIds: siblingsOf(stem, ending).map(toFileId),
    isDated: date === Date.parse(started_at),
  };
}

/** Returns the names of the files of the same recording that a program writes beside a file, and of the file that it is a copy of. */
function siblingsOf(stem: string, ending: string): string[] {
  if (!TOGETHER.includes(ending.toLowerCase())) return [];
  const others = TOGETHER.filter((other) => other !== ending.toLowerCase());
  const first = stem.replace(COPY, '');
  const copied = first === stem ? [] : [ending, ...others].map((other) => `${first}.${other}`);
  return [...copied, ...others.map((other) => `${stem}.${other}`)];
}
