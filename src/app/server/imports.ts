// The interfaces of imports and sources: what the app needs of the program to bring in memories. Embedding programs have neither.

import type * as v from 'valibot';

import type { ImportRecord } from '../contract/import-records.ts';
import type { SourceProduct } from '../contract/source-records.ts';

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
  /** Starts the importer: as a dry run, or to write. `timezone` is for times without a zone, `agent` for the log. */
  readonly start: (
    of: OfImport,
    how: { readonly isDry: boolean; readonly timezone: string; readonly agent: string },
  ) => Promise<ImportState>;
  readonly get: (of: OfImport) => Promise<ImportState>;
  /** Stops the importer and removes the files. What was imported stays. */
  readonly remove: (of: OfImport) => Promise<void>;
  /** Does the same with all imports of an account. */
  readonly removeAll: (account_id: string) => Promise<void>;
}

/** A source as its owner enters it. */
export interface WantedSource {
  readonly account_id: string;
  readonly product: string;
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}

/** A source to store. */
export interface PreparedSource {
  /** As its runs are named. */
  readonly name: string;
  readonly product: string;
  /** Null: the product's own address. */
  readonly url: string | null;
  readonly sealed_key: string | undefined;
  readonly needsKey: boolean;
  /** Whether its address is that of a service on the internet, and not of the owner's choice. */
  readonly isPublic: boolean;
  /** Requests what is newest, once. Rejects with `Failure` if the key is refused. Returns a sentence if that is not certain. */
  readonly check: () => Promise<string | null>;
}

/** The sources of owners. The jobs of the program pull from them, so no connection of the server writes a memory. */
export interface Sources {
  readonly products: () => Promise<v.InferOutput<typeof SourceProduct>[]>;
  /** Checks a source and seals its key. Rejects with `Failure`. */
  readonly prepare: (wanted: WantedSource) => Promise<PreparedSource>;
  /** Returns how far back a source has read, from its state, if there is more before that. */
  readonly backTo: (state: string) => number | undefined;
  /** Tells the jobs to look which sources are due. */
  readonly look: () => void;
}
