// The interface of imports: what the app needs of the program to bring in an owner's files. Embedding programs have none.

import type * as v from 'valibot';

import type { ImportRecord } from '../import-records.ts';

/** An import as the app shows it. */
export type ImportState = v.InferOutput<typeof ImportRecord>;

/** Names an import of an account. */
export interface OfImport {
  readonly account_id: string;
  readonly id: string;
}

/** A part of a file that is uploaded. */
export interface FilePart extends OfImport {
  /** The number of the file. */
  readonly n: number;
  /** The path of the file as its owner has it. */
  readonly name: string;
  /** When the file was changed, in milliseconds since 1970, if the browser knows. */
  readonly modified: number | undefined;
  readonly from: number;
  /** The size of the whole file. */
  readonly total: number;
  readonly bytes: Uint8Array;
}

/**
 * The imports of owners. The importer runs as a process of its own, so no connection of the server writes a
 * memory. An account sees its own imports only. All methods reject with `Failure`: a 404 if there is no such
 * import, and a 409 if its state does not allow it.
 */
export interface Imports {
  readonly begin: (account_id: string) => Promise<ImportState>;
  /** Stores a part. A part that was stored before may be sent again. */
  readonly write: (part: FilePart) => Promise<void>;
  /** Starts the importer: as a dry run, or to write. `timezone` is for times without a zone. */
  readonly start: (
    of: OfImport,
    how: { readonly isDry: boolean; readonly timezone: string },
  ) => Promise<ImportState>;
  readonly get: (of: OfImport) => Promise<ImportState>;
  /** Stops the importer and removes the files. What was imported stays. */
  readonly remove: (of: OfImport) => Promise<void>;
}
