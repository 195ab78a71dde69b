// The fields of a memory that a table can have, and the columns in which they are.

/** The fields that a table can have. */
export const TABLE_FIELDS = [
  'id',
  'name',
  'started_at',
  'ended_at',
  'duration_seconds',
  'is_processing',
  'user_id',
  'transcript',
  'quick_summary',
  'key_takeaways',
] as const;

/** The column of each field. A field that is not named has the column with its own name. */
export type Columns = Readonly<Partial<Record<(typeof TABLE_FIELDS)[number], string>>>;

/** The line that tells Excel what separates the columns. */
export const SEPARATOR_LINE = /^\uFEFF?"?sep=[^\n\r]{1,2}(?:\r\n?|\n)/i;

/** What can separate the columns: in many countries a semicolon, because numbers have commas. */
export const SEPARATORS = [',', ';', '\t', '|'] as const;

/** Returns the line of a table with the names of its columns. */
export function headerOf(text: string): string {
  return text.replace(SEPARATOR_LINE, '').split(/[\n\r]/, 1)[0] ?? '';
}
