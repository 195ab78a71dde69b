// Zip archives: looked through before anything in them is read, and read an entry at a time.

import type { Entry } from 'yauzl';

import type { Bytes } from '../../formats/bytes.ts';
import type { MaybeTime } from '../../formats/time.ts';
import { directoryOf, refused, unpack } from './archive.ts';
import { isHidden, isOurs, isZip, LINK, OTHER_KIND } from './kinds.ts';

/** What is in an archive. `size` is in bytes when unpacked; `open` reads that many or fails with `Refusal`. */
export type InZip = { readonly name: string } & (
  | { readonly size: number; readonly modified: MaybeTime; open(): Bytes }
  | { readonly passed_over: string }
  | { readonly reason: string }
);

const MOST_ENTRIES = 1_000_000;
/** Both must be passed: text packs to a tenth, and what is small does no harm. */
const MOST_TIMES = 100;
const MOST_BYTES = 100e6;
const LOCAL_HEADER_BYTES = 30;

/**
 * Reads what is in an archive, in its own order. Fails with `Refusal` before the first entry where it
 * is none, has unsafe paths or entries over one another, or would unpack to far more than it is.
 */
export async function* entriesOf(path: string, bytes: number): AsyncGenerator<InZip> {
  await requireSafe(path, bytes);
  for await (const entry of directoryOf(path)) {
    const { fileName: name } = entry;
    if (!name.endsWith('/') && !isHidden(name)) yield { name, ...judge(path, entry) };
  }
}

async function requireSafe(path: string, bytes: number): Promise<void> {
  const spans: { readonly start: number; readonly end: number }[] = [];
  let unpacked = 0;
  for await (const entry of directoryOf(path)) {
    const start = entry.relativeOffsetOfLocalHeader;
    const header = LOCAL_HEADER_BYTES + entry.fileNameLength;
    spans.push({ start, end: start + header + entry.compressedSize });
    unpacked += entry.uncompressedSize;
    if (spans.length > MOST_ENTRIES)
      throw refused(`it has more than ${MOST_ENTRIES.toLocaleString('en')} entries`);
  }
  if (unpacked > MOST_BYTES && unpacked > bytes * MOST_TIMES)
    throw refused(`it would unpack to ${MOST_TIMES} times its size and more`);
  spans.sort((a, b) => a.start - b.start);
  if (spans.some(({ end }, i) => end > (spans[i + 1]?.start ?? bytes)))
    throw refused('its entries lie over one another');
}

function judge(path: string, entry: Entry) {
  const { fileName: name, uncompressedSize: size } = entry;
  if (isLink(entry)) return { passed_over: LINK };
  if (!isOurs(name)) return { passed_over: OTHER_KIND };
  if (isZip(name)) return { reason: 'it is a zip archive in another; unpack that first' };
  if (entry.isEncrypted()) return { reason: 'it is encrypted; unpack its archive first' };
  if (!entry.canDecodeFileData())
    return { reason: `it is packed by method ${entry.compressionMethod}, not deflated` };
  return { size, modified: modifiedOf(entry), open: () => unpack(path, entry) };
}

function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

const TIME_FIELDS = new Set([0x5455, 0x000a]); // of Info-ZIP and of NTFS: moments
const FIRST_DAY = 0x21; // 1980-01-01, which says that nobody knows

/** When an entry was modified: as a moment, or by the clock of whoever packed it. */
function modifiedOf(entry: Entry): MaybeTime {
  if (entry.extraFields.some(({ id }) => TIME_FIELDS.has(id)))
    return entry.getLastModDate().toISOString();
  if (entry.lastModFileDate <= FIRST_DAY) return undefined;
  return entry.getLastModDate({ timezone: 'UTC' }).toISOString().slice(0, 19);
}
