// What the importer says about files, in the words of the app: its owner may have no command line.

/** What the importer tells people on a terminal, and what the reader of a page can do instead. */
const INSTEAD: readonly (readonly [said: string, instead: string])[] = [
  ['give --started-at', 'put its start into its name, as in "2026-11-18 09-00"'],
  [
    'give the stored start with --started-at if it is the same recording',
    'put the stored start into its name if it is the same recording',
  ],
  ['give its encoding, as with --encoding windows-1252', 'save it as UTF-8'],
  [', or name its format with --format', ''],
  [
    'or pass --format csv, with --map, if each row is a memory',
    'or use the command "import --format csv" if each row is a memory',
  ],
  [
    '--without-transcript imports its notes',
    'only the command "import --without-transcript" imports its notes',
  ],
  ['see "help import" for what is read', 'see "How to get an export" for what is read'],
];

/** Returns the reason of a rejected item, or advice, for a page. */
export function forOwner(text: string): string {
  return INSTEAD.reduce((all, [said, instead]) => all.replace(said, instead), text);
}
