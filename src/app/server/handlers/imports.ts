// Handlers of imports: they check what a browser sends, and pass it on to the program's importer.

import { Failure } from '../../../contract/failure.ts';
import { valuesOf, type Headers } from '../../../gateway/request/headers.ts';
import { requireWriting, type AppContext } from '../app-parts.ts';
import { DONE, type GroupOf } from '../call.ts';
import type { FilePart, Imports, ImportState } from '../imports.ts';

/** The longest path of a file, in characters. */
const MAX_NAME = 4096;

/** The handlers of imports. */
export const importHandlers: GroupOf<'imports'> = {
  create: async ({ app, reader }) => ({ output: await importsOf(app).begin(reader.account_id) }),
  write: async ({ app, reader, request: { headers }, input: { id, n }, bytes }) => {
    const imports = importsOf(app);
    const part = readPart(headers, bytes);
    await imports.write({ ...part, account_id: reader.account_id, id, n: Number(n) });
    return DONE;
  },
  check: (call) => start(call, { isDry: true }),
  run: (call) => start(call, { isDry: false }),
  get: async ({ app, reader, input: { id } }) => ({
    output: await importsOf(app).get({ account_id: reader.account_id, id }),
  }),
  remove: async ({ app, reader, input: { id } }) => {
    await importsOf(app).remove({ account_id: reader.account_id, id });
    return DONE;
  },
};

/** Starts the importer. */
async function start(
  { app, reader, agent, input: { id, timezone } }: Parameters<GroupOf<'imports'>['run']>[0],
  { isDry }: { readonly isDry: boolean },
): Promise<{ readonly output: ImportState }> {
  const of = { account_id: reader.account_id, id };
  return { output: await importsOf(app).start(of, { isDry, timezone, agent }) };
}

function importsOf(app: AppContext): Imports {
  return requireWriting(app, 'imports', 'import');
}

/** Reads what the headers say about a part. Throws a 422. */
function readPart(headers: Headers, bytes: Uint8Array): Omit<FilePart, 'account_id' | 'id' | 'n'> {
  const [range = ''] = valuesOf(headers, 'content-range');
  const [, first, last, size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(range) ?? [];
  // An empty file has no first byte (RFC 9110 §14.4).
  const numbers = range === 'bytes */0' ? [0, -1, 0] : [first, last, size].map(Number);
  const [from = NaN, to = NaN, total = NaN] = numbers;
  if (!(to < total) || to - from + 1 !== bytes.length)
    throw new Failure(
      422,
      'Send a Content-Range that matches the body, such as "bytes 0-1023/4096".',
    );
  const [modified = ''] = valuesOf(headers, 'x-file-modified');
  return {
    name: readName(headers),
    modified: /^\d{1,15}$/.test(modified) ? Number(modified) : undefined,
    from,
    total,
    bytes,
  };
}

function readName(headers: Headers): string {
  const [text = ''] = valuesOf(headers, 'x-file-name');
  try {
    const name = decodeURIComponent(text);
    if (name !== '' && name.length <= MAX_NAME) return name;
  } catch {
    // the same sentence
  }
  throw new Failure(422, 'Send the path of the file as X-File-Name, percent-encoded.');
}
