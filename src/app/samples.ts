// Sample memories, for somebody who wants to look around before importing own recordings.

/** The file of the app that has them, as an import reads it. */
export const SAMPLE_FILE = 'samples.json';
