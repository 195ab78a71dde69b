// The handlers of files: what memories were made from.

import { Failure } from '../../../contract/failure.ts';
import type { fileRoutes } from '../../../contract/file-routes.ts';
import type { Handlers } from '../../../contract/handlers.ts';
import { andThen } from '../../../lib/async.ts';
import { endingOf } from '../../../lib/media-types.ts';
import type { Store } from '../../../store/store.ts';
import type { CallContext } from '../endpoint.ts';
import { createStoreOf, requireTranscripts } from '../readable.ts';
import { readOriginal } from './originals.ts';

const NO_ORIGINAL = new Failure(
  404,
  'No original of this memory was kept when it was imported; read its transcript and details instead.',
);

/** Creates the handlers of files over a store. */
export function createFileHandlers(store: Store): Handlers<CallContext, typeof fileRoutes> {
  const storeOf = createStoreOf(store);
  return {
    memories: {
      original({ caller, condition }, { memory_id: id }) {
        requireTranscripts(caller.scope);
        return andThen(readOriginal(storeOf(caller), caller, id), (found) => {
          if (found === undefined) throw NO_ORIGINAL;
          const { sha256: etag, media_type, bytes, revision } = found;
          if (condition?.match(etag) !== undefined) return { etag, body: null, revision };
          const type = toHeaderValue(media_type);
          return { etag, body: bytes, type, headers: fileHeaders(id, type), revision };
        });
      },
    },
  };
}

/** Returns a media type as it is sent. The hash of an original does not cover it, so it may be damaged. */
function toHeaderValue(mediaType: string): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream';
}

/**
 * Returns the headers of a file that somebody else wrote: a browser saves it, and never runs it as a page of ours. An
 * id has no character that ends a quoted name, and with `original-` before it the name is no hidden file and no device.
 */
function fileHeaders(id: string, type: string): string[] {
  return [
    'content-disposition',
    `attachment; filename="original-${id}${endingOf(type)}"`,
    'content-security-policy',
    'sandbox',
  ];
}
