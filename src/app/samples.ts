// The data files of the app: sample memories, and texts about the products that it imports.

/** The file with sample memories, as an import reads it. */
export const SAMPLE_FILE = 'samples.json';

/** How the ids of sample memories begin. The rest is their id in the demo, so no memory of anybody has one. */
export const SAMPLE_IDS = 'sample-2026-';

/** The file about products. */
export const PRODUCTS_FILE = 'products.json';

/** What the file about products has. */
export interface Products {
  /** How to get an export, by the names of the products. */
  readonly exports: Readonly<Record<string, string>>;
  /** What people call the sources of memories. */
  readonly names: Readonly<Record<string, string>>;
}
