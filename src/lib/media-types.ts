// Media types of the files that imports read.

/** Media types by the ending of a file's name. All other files are plain text. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
  md: 'text/markdown',
  html: 'text/html',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

const ENDINGS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(MEDIA_TYPES).map(([ending, type]) => [type, ending] as const),
  ['application/json', 'json'],
  ['text/plain', 'txt'],
]);

/** Returns the ending for the name of a file of a media type: `.vtt`, or nothing if the type is another one. */
export function endingOf(mediaType: string): string {
  const ending = ENDINGS.get(mediaType);
  return ending === undefined ? '' : `.${ending}`;
}
