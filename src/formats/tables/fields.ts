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

/** Returns the first line of a table, with the names of its columns. */
export function headerOf(text: string): string {
  return text.split(/[\n\r]/, 1)[0] ?? '';
}

/** Returns what to do with a file that has the name of a table, if it was not read as one. */
export function tableReason(name: string): string | undefined {
  if (!/\.[ct]sv$/i.test(name)) return undefined;
  return 'it is a table; pass --format csv, and --map if its columns have names of their own';
}
