// The data files of the app that somebody needs before the first import.

/** The file with sample memories, as an import reads it. */
export const SAMPLE_FILE = 'samples.json';

/** The file that says how to get an export of each product, by their names. */
export const EXPORTS_FILE = 'exports.json';
