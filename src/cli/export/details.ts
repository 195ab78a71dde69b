// Reads the details of memories for an export, and adds them to memories as JSON.

import { fromJson, toJson } from '../../contract/json.ts';
import type { Details } from '../../contract/schemas/details.ts';
import { checkDetails, exportedDetails } from '../../store/details/reads.ts';
import type { Snapshot } from '../../store/engine.ts';
import { bySlot, document } from '../../store/sql/details.ts';
import { query } from '../../store/sql/query.ts';
import type { EncodedEntry } from '../../store/store.ts';

const detailsOf = query(document(bySlot));

/** Whose details are read, and from where. Bookmarks and originals are read from there as well. */
export interface DetailsOf {
  readonly account_id: string;
  readonly snapshot: Pick<Snapshot, 'connection'>;
  /** The database, for error messages. */
  readonly database: string;
}

/** Creates the function that reads details by the id of their memory. It rejects with `Refusal` if they are damaged. */
export function createDetailsReader({ account_id, snapshot, database }: DetailsOf) {
  const stored = snapshot.connection.prepare(detailsOf);
  return async (id: string): Promise<Details | undefined> => {
    const row = await stored.get({ account_id, id });
    const found = checkDetails(database, { account_id, revision: '', id }, row);
    return found && fromJson(found.bytes);
  };
}

/** Creates the function that adds details to the bytes of a memory. */
export function createAddDetails(of: DetailsOf) {
  const read = createDetailsReader(of);
  return async ({ id, bytes }: EncodedEntry): Promise<Uint8Array> => {
    const found = await read(id);
    if (found === undefined) return bytes;
    const details = toJson(exportedDetails(found));
    const parts = [bytes.subarray(0, -1), Buffer.from(',"details":'), details];
    return Buffer.concat([...parts, Buffer.from('}')]);
  };
}
