// Sends files to the gateway in parts, so that a broken connection costs one part.

import { readResponse } from '../../../../client/response.ts';
import { APP } from '../../state/base.ts';
import { retry } from '../../state/connection.ts';
import { sendInSession } from '../../state/session.ts';

/** The size of a part. A slow connection sends it within the time that a request may take. */
const PART = 1 << 20;

const PAUSE_MS = 2000;

/** A file, and its path in the folder that was chosen. */
export interface ChosenFile {
  readonly file: File;
  readonly name: string;
}

/** Uploads files, one part after another. `onSent` gets the bytes so far. Rejects with `Failure`, with a `DOMException` if a file cannot be read, and when it is aborted. */
export async function upload(
  id: string,
  files: readonly ChosenFile[],
  { signal, onSent }: { readonly signal: AbortSignal; readonly onSent: (bytes: number) => void },
): Promise<void> {
  let sent = 0;
  for (const [n, { file, name }] of files.entries()) {
    let from = 0;
    // An empty file is one part, so that the report names it.
    do {
      // Read here, so that a file that is gone does not look like a gateway that does not answer.
      const body = await file.slice(from, from + PART).arrayBuffer();
      const headers = {
        'content-type': 'application/octet-stream',
        'content-range': `bytes ${file.size === 0 ? '*' : `${from}-${from + body.byteLength - 1}`}/${file.size}`,
        'x-file-name': encodeURIComponent(name),
        'x-file-modified': String(file.lastModified),
      };
      await sendPart(`v1/imports/${id}/files/${n}`, { method: 'PUT', headers, body, signal });
      onSent((sent += body.byteLength));
      from += PART;
    } while (from < file.size);
  }
}

/** Sends a part again until the gateway answers. */
async function sendPart(path: string, init: RequestInit): Promise<void> {
  for (;;) {
    let response;
    try {
      response = await sendInSession(new Request(new URL(path, APP), init));
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      await retry();
      continue;
    }
    if (!response.ok) readResponse({ response, text: await response.text() }); // throws
    return;
  }
}
