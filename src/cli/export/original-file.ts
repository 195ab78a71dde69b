// The files of an export of originals: what memories were made from, each one once.

import type { Memory } from '../../contract/schemas/memory.ts';
import { toFileId } from '../../formats/id.ts';
import { originalPath } from '../../formats/markdown/filename.ts';
import { endingOf } from '../../lib/media-types.ts';
import { checkOriginal } from '../../store/details/reads.ts';
import { bySlot, original, originalName } from '../../store/sql/details.ts';
import { query } from '../../store/sql/query.ts';
import type { Reading } from '../import/identity.ts';
import type { DetailsOf } from './details.ts';

const nameOfOriginal = query(originalName(bySlot));
const originalOf = query(original(bySlot));

/**
 * Creates the function that returns the file of what a memory was made from: `written` if another memory was made from
 * it as well, or undefined if none was kept. It rejects with `Refusal` if the original is damaged.
 */
export function createOriginalFiles({ account_id, snapshot, database }: DetailsOf) {
  const names = snapshot.connection.prepare(nameOfOriginal);
  const stored = snapshot.connection.prepare(originalOf);
  const written = new Set<string>();
  return async ({ id }: Memory, day: string, isTaken: (name: string) => boolean) => {
    const { original_sha256 = null, reading = null } = (await names.get({ account_id, id })) ?? {};
    // It can be long, so one of several memories is read once.
    if (original_sha256 !== null && written.has(original_sha256)) return 'written';
    const row = original_sha256 === null ? undefined : await stored.get({ account_id, id });
    const found = checkOriginal(database, { account_id, revision: '', id }, row);
    if (found === undefined) return undefined;
    written.add(found.sha256);
    const file = nameOf(id, found.media_type, reading);
    return { name: originalPath({ id, day, ...file }, isTaken), text: found.bytes };
  };
}

/** Returns the name that a file had, or the id of a memory that was one of several in a file. */
function nameOf(id: string, mediaType: string, reading: string | null) {
  const { full_name = '' } = JSON.parse(reading ?? '{}') as Reading;
  const name = full_name.slice(full_name.lastIndexOf('/') + 1);
  const isWhole = mediaType !== 'application/json' || id === toFileId(name);
  const [, title = '', ending = ''] = (isWhole && /^(.+)(\.\w{1,10})$/.exec(name)) || [];
  return title === '' ? { title: id, ending: endingOf(mediaType) } : { title, ending };
}
