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

/** Media types of recordings, by the ending of a file's name. Programs write sound alone to MP4 and WebM as well. */
const SOUND_TYPES: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  aif: 'audio/aiff',
  aiff: 'audio/aiff',
  amr: 'audio/amr',
  caf: 'audio/x-caf',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mka: 'audio/x-matroska',
  mp3: 'audio/mpeg',
  mp4: 'audio/mp4',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  weba: 'audio/webm',
  webm: 'audio/webm',
  wma: 'audio/x-ms-wma',
};

/** Returns the media type of a recording by the name of its file, or undefined if it is none. */
export function soundTypeOf(name: string): string | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(SOUND_TYPES, ending) ? SOUND_TYPES[ending] : undefined;
}

/** Returns the ending for the name of a file of a media type: `.vtt`, or nothing if the type is another one. */
export function endingOf(mediaType: string): string {
  const ending = ENDINGS.get(mediaType);
  return ending === undefined ? '' : `.${ending}`;
}
