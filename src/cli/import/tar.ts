// Reads tar archives, compressed or not, one entry after the other.

import { ReadableStream } from 'node:stream/web';
import { setImmediate as turn } from 'node:timers/promises';

import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';

import type { ByteStream } from '../../formats/bytes.ts';
import { Refusal } from '../../store/refusal.ts';
import { exclusionOf, isHidden } from './import-folder.ts';

/** An entry of an archive. It must be read before the next entry is asked for. */
export type TarEntry = { readonly name: string } & (
  | { readonly modified: string | undefined; open(): ByteStream }
  | { readonly skipped: string }
  | { readonly reason: string }
);

/** Reads the entries of an archive in its own order. Throws `Refusal` behind the last whole entry if it is cut off. */
export async function* readTar(bytes: ByteStream): AsyncGenerator<TarEntry> {
  const gate = createGate();
  const entries = ReadableStream.from(gate.endLast(bytes))
    .pipeThrough(createTarDecoder({ strict: true }))
    .values();
  try {
    for await (const { header, body } of gate.waited(entries, gate.open)) {
      const name = header.name.replace(/^(?:\.\/)+/, '');
      const isLeftOut = header.type === 'directory' || name === '' || isHidden(name);
      if (!isLeftOut) yield* readEntry(name, header, () => read(gate.waited(body.values())));
      await body.cancel();
    }
  } catch (error) {
    throw toRefusal(error);
  }
}

function* readEntry(
  name: string,
  { type = 'file', mtime }: ParsedTarEntry['header'],
  open: () => ByteStream,
): Generator<TarEntry> {
  const exclusion = exclusionOf(name, type !== 'file');
  yield { name, ...(exclusion ?? { modified: mtime?.toISOString(), open }) };
}

async function* read(bytes: ByteStream): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw toRefusal(error);
  }
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal('it is not a tar archive, or it is damaged or cut off', { cause: error });
}

/**
 * Creates a gate for the end of a stream, or its failure. It opens when the reader waits and nothing more comes,
 * because a stream that fails drops what it holds.
 */
function createGate() {
  let isWaiting = false;
  let asked = Promise.withResolvers<void>();
  const open = () => {
    isWaiting = true;
    asked.resolve();
  };
  return {
    open,
    /** Passes the bytes on, and waits before the end. */
    async *endLast(bytes: ByteStream): ByteStream {
      let failure: unknown;
      try {
        yield* bytes;
      } catch (error) {
        failure = error;
      }
      for (;;) {
        await asked.promise;
        await turn();
        if (isWaiting) break;
      }
      if (failure !== undefined) throw failure;
    },
    /** Passes on what is read, and notes when the reader waits for more. `leave` is called if it wants no more. */
    async *waited<T>(items: AsyncIterableIterator<T>, leave = () => {}): AsyncGenerator<T> {
      try {
        for (;;) {
          open();
          const { done, value } = await items.next();
          isWaiting = false;
          asked = Promise.withResolvers();
          if (done === true) return;
          yield value;
        }
      } finally {
        leave();
        await items.return?.();
      }
    },
  };
}
