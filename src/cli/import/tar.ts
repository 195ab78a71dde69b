// Reads tar archives, compressed or not, one entry after the other.

import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';

import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';

import type { ByteStream } from '../../formats/bytes.ts';
import { Refusal } from '../../store/refusal.ts';
import { isArchive, isHidden, isImportable, SKIPPED_KIND, SKIPPED_LINK } from './import-folder.ts';

/** An entry of an archive. It must be read before the next entry is asked for. */
export type TarEntry = { readonly name: string } & (
  | { readonly modified: string | undefined; open(): ByteStream }
  | { readonly skipped: string }
  | { readonly reason: string }
);

/** Reads the entries of an archive in its own order. Throws `Refusal` if it is damaged or cut off. */
export async function* readTar(bytes: ByteStream): AsyncGenerator<TarEntry> {
  const entries = ReadableStream.from(bytes)
    .pipeThrough(createTarDecoder({ strict: true }))
    .values();
  try {
    for await (const { header, body } of entries) {
      const name = header.name.replace(/^(?:\.\/)+/, '');
      if (header.type === 'directory' || name === '' || isHidden(name)) await body.cancel();
      else yield* readEntry(name, { header, body });
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('it is not a tar archive, or it is damaged or cut off', { cause: error });
  }
}

async function* readEntry(
  name: string,
  { header, body }: ParsedTarEntry,
): AsyncGenerator<TarEntry> {
  const { type = 'file', mtime } = header;
  if (type !== 'file') yield { name, skipped: SKIPPED_LINK };
  else if (!isImportable(name)) yield { name, skipped: SKIPPED_KIND };
  else if (isArchive(name))
    yield { name, reason: 'it is an archive inside an archive; unpack the outer one first' };
  else {
    const stream = Readable.fromWeb(body);
    yield { name, modified: mtime?.toISOString(), open: () => stream };
    stream.destroy();
    return;
  }
  await body.cancel();
}
