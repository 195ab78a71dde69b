// Originals: the bytes that a memory was made from, recorded while they are read.

import { concatBytes, ITEM_BYTES, type ByteStream } from './bytes.ts';

/** What a memory was made from. */
export interface Original {
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

/** The bytes of a file, which are recorded while they are read. */
export interface Recording {
  readonly bytes: ByteStream;
  /** Stops the recording of a file whose items are kept one by one. */
  readonly drop: () => void;
  /** Returns what was read so far. Undefined if it was dropped, or is larger than an item may be. */
  readonly recorded: () => Uint8Array | undefined;
}

/** Records a stream. */
export function record(bytes: ByteStream): Recording {
  let parts: Uint8Array[] | undefined = [];
  let length = 0;
  const drop = (): void => {
    parts = undefined;
  };
  async function* read(): ByteStream {
    for await (const part of bytes) {
      length += part.length;
      if (length > ITEM_BYTES) drop();
      parts?.push(part);
      yield part;
    }
  }
  return { bytes: read(), drop, recorded: () => parts && concatBytes(parts) };
}

/** Returns the original of JSON values. */
export function jsonOriginal(value: unknown): Original {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return { media_type: 'application/json', bytes };
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
  md: 'text/markdown',
  html: 'text/html',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** Returns the original of a file. */
function fileOriginal(name: string, bytes: Uint8Array): Original {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return { media_type: MEDIA_TYPES[ending] ?? 'text/plain', bytes };
}

/** A file whose bytes were recorded. */
interface RecordedFile {
  readonly name: string;
  readonly recording?: Recording | undefined;
}

/** Returns what a memory was made from: an item of a file, or the whole file. */
export function originalOf({ name, recording }: RecordedFile, item: unknown): Original | undefined {
  if (item !== undefined) return jsonOriginal(item);
  const bytes = recording?.recorded();
  return bytes && fileOriginal(name, bytes);
}
