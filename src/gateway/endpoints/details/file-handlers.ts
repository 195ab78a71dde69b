// The handlers of files: what memories were made from, and their recordings.

import { Failure } from '../../../contract/failure.ts';
import type { fileRoutes } from '../../../contract/file-routes.ts';
import type { Handlers } from '../../../contract/handlers.ts';
import { fromJson } from '../../../contract/json.ts';
import { andThen } from '../../../lib/async.ts';
import { endingOf } from '../../../lib/media-types.ts';
import type { Store } from '../../../store/store.ts';
import type { CallContext } from '../endpoint.ts';
import { createStoreOf } from '../handlers.ts';
import { requireTranscripts } from '../readable.ts';
import { findRecording, type AudioFolderOf } from './audio.ts';
import { readDetails } from './documents.ts';
import { readOriginal } from './originals.ts';

const SANDBOXED = ['content-security-policy', 'sandbox'];

const NO_ORIGINAL = new Failure(
  404,
  'No original of this memory was kept when it was imported; read its transcript and details instead.',
);

const NO_RECORDING = new Failure(
  404,
  'No recording of this memory is known; read its transcript instead.',
);
const RECORDING_ELSEWHERE = new Failure(
  404,
  'The recording of this memory is not here; "audio" in its details is the link to it.',
);
const RECORDING_NOT_SERVED = new Failure(
  404,
  'The recording of this memory is not in a folder that this gateway serves; ask its operator to name one with "serve --audio".',
);

/** Creates the handlers of files over a store. */
export function createFileHandlers(
  store: Store,
  audioFolderOf: AudioFolderOf = () => undefined,
): Handlers<CallContext, typeof fileRoutes> {
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

      audio({ caller, condition }, { memory_id: id }) {
        requireTranscripts(caller.scope);
        return andThen(readDetails(storeOf(caller), caller, id), async ({ body }) => {
          const { audio: path } = fromJson(body);
          if (path === null) throw NO_RECORDING;
          if (/^https?:/i.test(path)) throw RECORDING_ELSEWHERE;
          const folder = audioFolderOf(caller.account_id);
          const found = folder === undefined ? undefined : await findRecording(folder, path);
          if (found === undefined) throw RECORDING_NOT_SERVED;
          return condition?.match(found.etag) === undefined
            ? { ...found, headers: SANDBOXED }
            : { etag: found.etag, body: null };
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
  const name = `original-${id}${endingOf(type)}`;
  return ['content-disposition', `attachment; filename="${name}"`, ...SANDBOXED];
}
