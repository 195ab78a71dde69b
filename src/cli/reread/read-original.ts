// Reads an original again, with the importers of today.

import type { ReadDetails } from '../../contract/schemas/details.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { itemFormats, textFormats } from '../../formats/formats.ts';
import { draftToOutcome, type ReadMemory, type ReadOptions } from '../../formats/outcome.ts';
import { readMemories } from '../../formats/read.ts';
import { localReader } from '../../lib/timezone.ts';
import { timesFrom } from '../../store/details/corrections.ts';
import type { MemoryWithOriginal, Reread } from '../../store/details/reread.ts';
import { identify, type Reading } from '../import/identity.ts';
import type { SourceFile } from '../import/sources.ts';

/** Creates the function that reads what a memory was made from, if that is of the wanted format. Its id stays, and so does what the original does not say. */
export function createReader(wanted: string | undefined) {
  const readings = new Map<string, Promise<ReadOptions>>();
  return async (one: MemoryWithOriginal): Promise<Reread> => {
    const { format } = one.read.source;
    if (format === null || (wanted !== undefined && format !== wanted)) return undefined;
    const how = JSON.parse(one.original.reading) as Reading;
    const key = JSON.stringify([format, how.timezone, how.encoding, how.emails]);
    const reading = readings.get(key) ?? readingFor(format, how);
    readings.set(key, reading);
    return readAgain(one, how, await reading);
  };
}

async function readAgain(
  one: MemoryWithOriginal,
  how: Reading,
  reading: ReadOptions,
): Promise<Reread> {
  if (how.joined === true) return finish(one, readParts(one, reading));
  const file = fileOf(one, how);
  for await (const outcome of readMemories({ ...file, bytes: file.open() }, reading)) {
    if ('memory' in outcome) return finish(one, outcome, identify(outcome, file, reading).file);
    if ('reason' in outcome) return { reason: outcome.reason };
    if ('skipped' in outcome) return { reason: `it would be skipped as ${outcome.skipped}` };
  }
  return { reason: 'nothing was found in its original' };
}

async function readingFor(format: string, how: Reading): Promise<ReadOptions> {
  const { timezone = 'UTC', encoding, emails } = how;
  const isWanted = ({ name }: { readonly name: string }) => name === format;
  return {
    items: itemFormats.filter(isWanted),
    texts: textFormats.filter(isWanted),
    local: await localReader(timezone),
    timezone,
    encoding,
    keepsEmails: emails,
    withoutTranscript: true,
  };
}

/** Returns an original as the file that it came from. */
function fileOf({ original }: MemoryWithOriginal, how: Reading): SourceFile {
  const { name = '', full_name = name, started_at, modified, dated_by } = how;
  return {
    name,
    place: name,
    size: original.bytes.length,
    fullName: full_name,
    started_at,
    modified,
    dated_by,
    async *open() {
      yield original.bytes;
    },
  };
}

/** The original of a memory that was made from parts. */
interface Parts {
  readonly id: string;
  readonly parts: Readonly<Record<string, unknown>>;
}

function readParts({ original, read }: MemoryWithOriginal, reading: ReadOptions) {
  const rule = reading.items.find((each) => each.rule !== undefined)?.rule;
  if (rule === undefined)
    return { reason: `this version joins no parts of the format ${read.source.format}` };
  const { id, parts } = JSON.parse(new TextDecoder().decode(original.bytes)) as Parts;
  const draft = rule.join(id, parts);
  return 'transcript' in draft ? draftToOutcome(draft, rule.format, reading) : draft;
}

type Outcome = ReadMemory | { readonly reason: string } | { readonly skipped: string };

function finish(
  { memory: old, read }: MemoryWithOriginal,
  outcome: Outcome,
  file?: { readonly isDated: boolean },
): Reread {
  if ('skipped' in outcome) return { reason: `it would be skipped as ${outcome.skipped}` };
  if ('reason' in outcome) return outcome;
  // The date of a file changes when it is copied, and the first one counts.
  const times = file?.isDated === true ? timesFrom(old.started_at, outcome.memory) : {};
  const memory = keepKnown({ ...outcome.memory, ...times, id: old.id, user_id: old.user_id }, old);
  return { memory, read: keepLines(outcome.details, memory, read) };
}

/** Keeps what an original does not say, such as a summary that was imported from notes. */
function keepKnown(memory: Memory, old: Memory): Memory {
  const { quick_summary, key_takeaways } = memory.summary;
  const isSummed = memory.is_processing || quick_summary !== '' || key_takeaways.length > 0;
  return {
    ...memory,
    name: memory.name || old.name,
    summary: isSummed ? memory.summary : old.summary,
    transcript: memory.transcript || old.transcript,
  };
}

/** Keeps the times and people of a transcript that the original does not have. */
function keepLines(details: ReadDetails, { transcript }: Memory, old: ReadDetails): ReadDetails {
  const hasOwn = transcript === '' || details.line_starts_ms !== null || details.people.length > 0;
  return hasOwn ? details : { ...details, line_starts_ms: old.line_starts_ms, people: old.people };
}
