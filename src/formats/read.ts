// Reads a file of any format, and yields a memory or a reason for each item.

import {
  decodeUtf8,
  hasUtf8Mark,
  isUtf32,
  NO_UTF8,
  notUtf8,
  peek,
  readAllBytes,
  UTF32,
  utf16Of,
  toUtf8,
  type ByteStream,
} from './bytes.ts';
import type {
  FileInfo,
  ItemFormat,
  LineTextFormat,
  Skipped,
  TextFormat,
  TextResult,
  WholeTextFormat,
} from './format.ts';
import { parseItem } from './issue-text.ts';
import { recognise } from './json/groups.ts';
import { canBeJson, readItems, type FoundItem, type ItemPosition } from './json/read-items.ts';
import { unreadNames } from './json/unread.ts';
import { originalOf, record, type Recording } from './original.ts';
import {
  draftToOutcome,
  toWaiting,
  type ReadMemory,
  type ReadOptions,
  type WaitingParts,
} from './outcome.ts';
import { memory } from './products/memory.ts';
import { isFileDraft, withFile } from './recognisers/recording.ts';
import { readTable, tableIn } from './tables/table.ts';
import { isDocument, readDocument } from './text/docx.ts';
import { SAMPLE } from './text/lines/plain-lines.ts';
import type { MaybeTime } from './time/product-time.ts';
import { streamLines } from './turns/lines.ts';
import { reasonOfUnknown } from './unknown-file.ts';

/** A file to read. */
export interface FileSource {
  /** The file's path below the folder that was passed. */
  readonly name: string;
  /** The file's whole path. Parts of a memory can share its folder. Default: `name`. */
  readonly place?: string;
  readonly bytes: ByteStream;
  /** When it was recorded, for formats that do not say so: milliseconds, or text as the user wrote it. */
  readonly started_at?: MaybeTime;
  /** Who says when it was recorded. Otherwise it is the time of the last change. */
  readonly dated_by?: FileInfo['dated_by'];
  /** Its name with the folders above it, if they are known. The caller may have passed any of them. */
  readonly fullName?: string | undefined;
  /** Why the file is skipped if it is of no format. Default: it is rejected. */
  readonly skippedAs?: string | undefined;
}

/** A file that is recorded while it is read, if originals are wanted. */
interface RecordedSource extends FileSource {
  readonly recording: Recording | undefined;
}

/** The result for one item: a memory, the reason for a rejection, or the reason to skip it. */
export type ReadOutcome = {
  readonly place: ItemPosition;
  /** The format, and the properties of the item that it does not keep. */
  readonly notKept?: { readonly format: string; readonly names: readonly string[] };
} & (ReadMemory | { readonly reason: string } | WaitingParts | Skipped);

/** Reads the memories of a file in constant memory. Closes the file in every case. */
export async function* readMemories(
  source: FileSource,
  reading: ReadOptions,
): AsyncGenerator<ReadOutcome> {
  const recording = reading.createPacker && record(source.bytes, reading.createPacker);
  const { bytes = source.bytes } = recording ?? {};
  try {
    yield* readRecorded({ ...source, bytes, recording }, reading);
  } finally {
    recording?.drop();
  }
}

async function* readRecorded(
  source: RecordedSource,
  reading: ReadOptions,
): AsyncGenerator<ReadOutcome> {
  const { head, whole } = await peek(source.bytes, SAMPLE);
  const encoding = utf16Of(head) ?? (hasUtf8Mark(head) ? undefined : reading.encoding);
  try {
    if (isDocument(source.name))
      yield { place: {}, ...(await readWord({ ...source, bytes: whole }, reading)) };
    else if (encoding === undefined) yield* readFrom(head, { ...source, bytes: whole }, reading);
    else {
      const bytes = toUtf8(whole, encoding);
      yield* readRecorded({ ...source, bytes }, { ...reading, encoding: undefined });
    }
  } finally {
    await whole.return?.();
  }
}

async function* readFrom(
  head: Uint8Array,
  source: RecordedSource,
  reading: ReadOptions,
): AsyncGenerator<ReadOutcome> {
  // What else has been read must not decide: a file comes in pieces of any size.
  const start = new TextDecoder()
    .decode(head.subarray(0, SAMPLE))
    .replace(/^[\s\u200B\u2060]+/, '');
  const format = reading.texts.find(({ matches }) => matches(start, source.name));
  const table = reading.columns ? undefined : tableIn(start, reading.items);
  if (!format && !table && source.skippedAs) yield { place: {}, skipped: source.skippedAs };
  else if (start === '' && head.length < SAMPLE)
    yield { place: {}, reason: 'it is empty; copy it or export it again' };
  else if (isUtf32(head)) yield { place: {}, reason: UTF32 };
  else if (head[0] === NO_UTF8[0]) yield { place: {}, reason: notUtf8(head) };
  else if (reading.columns || table) yield* readRows(source, reading, table);
  else if (format) yield { place: {}, ...(await readText(source, format, reading)) };
  else if (reading.items.length === 0 || !canBeJson(start, source.name))
    yield { place: {}, reason: mismatchReason(reading, reasonOfUnknown(source.name, start)) };
  else yield* readAll(source, reading);
}

const NO_TRANSCRIPT = 'it is a document, but no transcript of a known form';

function mismatchReason({ items, texts }: ReadOptions, reason: string): string {
  const [only, ...more] = [...items, ...texts];
  return only && !more.length ? `it is not of the format ${only.name}; leave out --format` : reason;
}

function readAll(source: RecordedSource, reading: ReadOptions): AsyncGenerator<ReadOutcome> {
  const found = readItems(source.bytes, { name: source.name, formats: reading.items });
  return readFound(found, source, reading);
}

async function* readFound(
  found: AsyncIterable<FoundItem>,
  source: RecordedSource,
  reading: ReadOptions,
): AsyncGenerator<ReadOutcome> {
  const { items } = reading;
  source.recording?.drop();
  let hasFileDraft = false;
  for await (const { place, ...each } of recognise(found, items)) {
    if (!('format' in each)) yield { place, ...each };
    else {
      const got = parseItem(each.format.item, each.value);
      const draft = isFileDraft(got) ? withFile(got, source, hasFileDraft) : got;
      const outcome = await toOutcome(draft, { ...each, source, reading });
      hasFileDraft ||= isFileDraft(got) && 'memory' in outcome;
      const names =
        'skipped' in outcome || 'reason' in outcome
          ? []
          : unreadNames(each.format.item, each.value);
      yield {
        place,
        ...outcome,
        ...(names.length > 0 && { notKept: { format: each.format.name, names } }),
      };
    }
  }
}

/** Reads a table of a product, or one in our own format. */
async function* readRows(
  source: RecordedSource,
  reading: ReadOptions,
  format: ItemFormat = memory,
): AsyncGenerator<ReadOutcome> {
  yield* readFound(readTable(source.bytes, reading.columns), source, {
    ...reading,
    items: [format],
  });
}

async function readText(source: RecordedSource, format: TextFormat, reading: ReadOptions) {
  if ('readLines' in format) return readByLine(source, format, reading);
  const { bytes, reason } = await readAllBytes(source.bytes);
  if (reason !== undefined) return { reason };
  const text = decodeUtf8(bytes);
  return text === undefined
    ? { reason: notUtf8(bytes) }
    : convert(text, { source, format, reading });
}

async function readByLine(source: RecordedSource, format: LineTextFormat, reading: ReadOptions) {
  const reader = format.readLines(infoOf(source, reading));
  for await (const lines of streamLines(source.bytes)) {
    if ('reason' in lines) return lines;
    for (const line of lines) reader.add(line);
  }
  return toOutcome(reader.end(), { format, source, reading });
}

/** Reads a Word document, whose text is of one of the formats for documents. */
async function readWord(source: RecordedSource, reading: ReadOptions) {
  const { bytes, reason } = await readAllBytes(source.bytes);
  const found = reason === undefined ? await readDocument(bytes) : { reason };
  const text = 'text' in found ? found.text : '';
  const start = text.slice(0, SAMPLE).trimStart();
  const format = reading.texts
    .filter((each) => 'read' in each)
    .find(({ inDocuments, matches }) => inDocuments && matches(start, source.name));
  if (format) return convert(text, { source, format, reading });
  if (source.skippedAs) return { skipped: source.skippedAs };
  return 'reason' in found ? found : { reason: mismatchReason(reading, NO_TRANSCRIPT) };
}

interface Converted {
  readonly source: RecordedSource;
  readonly format: { readonly name: string };
  readonly reading: ReadOptions;
  /** The item that it was made from. Undefined: the whole file. */
  readonly value?: unknown;
}

interface Conversion extends Converted {
  readonly format: WholeTextFormat;
}

async function convert(text: string, { source, format, reading }: Conversion) {
  return toOutcome(await format.read(text, infoOf(source, reading)), { format, source, reading });
}

function infoOf(
  { name, fullName, started_at, dated_by }: FileSource,
  { local }: ReadOptions,
): FileInfo {
  return { name, fullName, started_at, dated_by, local };
}

async function toOutcome(got: TextResult, { format, source, reading, value }: Converted) {
  if ('parts' in got) return toWaiting(got, source);
  if ('reason' in got || 'skipped' in got) return got;
  const outcome = draftToOutcome(got, format.name, reading);
  if (!('memory' in outcome) || reading.createPacker === undefined) return outcome;
  // Our own format is the memory itself.
  if (format.name === memory.name) return outcome;
  return { ...outcome, original: await originalOf(source, value) };
}
