// How to get an export of each product, and what to do with files that hold no transcript.

/** A product, and how its owner gets an export that can be imported. */
export interface ProductExport {
  readonly product: string;
  readonly how: string;
}

/** The products with an export that a person makes by hand, in the order in which a page shows them. */
export const PRODUCT_EXPORTS: readonly ProductExport[] = [
  {
    product: 'Limitless',
    how: 'In the app, ask for the data export in the settings, and take the zip archive as it is.',
  },
  {
    product: 'Plaud',
    how: 'Open a recording, export its transcript as SRT, or as TXT with times and speakers.',
  },
  {
    product: 'Otter',
    how: 'Open a conversation, export it as TXT with names and times, and put its start into the name of the file.',
  },
  {
    product: 'Zoom',
    how: 'From the cloud, download the audio transcript (.vtt). From your computer, take the folder Documents/Zoom.',
  },
  {
    product: 'Teams',
    how: 'Open the recap of a meeting, choose the transcript, and download it as .vtt or .docx.',
  },
  {
    product: 'Google Meet',
    how: 'Download the transcripts in the Drive folder "Google Meet" as Word, Markdown or plain text.',
  },
  {
    product: 'Granola',
    how: 'Take its CSV export, or save the responses of its API as JSON.',
  },
  {
    product: 'Hyprnote',
    how: 'Take the folder "sessions" in its data folder. Char and Anarlog are the same program: with a database, use "anarlog meetings export".',
  },
  { product: 'Meetily', how: 'Take the folder of recordings that its settings name.' },
  {
    product: 'Whisper',
    how: 'Write JSON: whisper --output_format json, or whisper-cli --output-json.',
  },
  {
    product: 'Fireflies',
    how: 'Save the responses of its API as JSON, with a key from its developer settings.',
  },
  {
    product: 'Fathom',
    how: 'Save the responses of its API as JSON, with a key from its user settings.',
  },
  { product: 'Bee', how: 'Save what its own program bee prints as JSON.' },
  {
    product: 'Omi',
    how: 'Save the responses of its API as JSON, with a key from Settings, Developer.',
  },
];

/** What can be imported of everything else. */
export const OTHER_EXPORT =
  'Captions (.srt, .vtt), or text in which each turn begins with a name, such as "Ann: Hello." Put the start into the name of the file: "2026-11-18 09.00 Call.txt".';

const KINDS: readonly (readonly [endings: RegExp, advice: string])[] = [
  [
    /\.(?:mp3|m4a|wav|ogg|opus|flac|aac|wma|aiff?|amr)$/i,
    'A sound file has no words: make a transcript of it, for example with Whisper, and import its JSON.',
  ],
  [
    /\.(?:mp4|mov|mkv|webm|avi|m4v)$/i,
    'A video has no words: export its captions as .vtt or .srt.',
  ],
  [
    /\.(?:pdf|pages|odt|rtf|doc)$/i,
    'The lines of this kind of document cannot be told apart: export the transcript as text, Word (.docx) or captions.',
  ],
  [
    /\.(?:rar|7z|bz2|xz)$/i,
    'This kind of archive cannot be opened: unpack it, or pack it as a zip archive.',
  ],
  [/\.(?:xlsx?|ods|numbers)$/i, 'A table can be read as CSV: save it as .csv.'],
];

/** What people call the sources of memories: products, and the files that any program writes. */
export const SOURCE_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    PRODUCT_EXPORTS.map(({ product }) => [product.toLowerCase().replace(' ', '-'), product]),
  ),
  anarlog: 'Anarlog',
  assemblyai: 'AssemblyAI',
  'aws-transcribe': 'Amazon Transcribe',
  circleback: 'Circleback',
  deepgram: 'Deepgram',
  gong: 'Gong',
  memory: 'Memory Gateway',
  muesli: 'Muesli',
  'named-text': 'text files',
  notion: 'Notion',
  pocket: 'Pocket',
  readai: 'Read AI',
  sbv: 'SBV captions',
  screenpipe: 'screenpipe',
  scriberr: 'Scriberr',
  segments: 'JSON files',
  speakr: 'Speakr',
  'speech-results': 'speech recognition',
  srt: 'SRT subtitles',
  'timed-text': 'text with times',
  tldv: 'tl;dv',
  vexa: 'Vexa',
  vtt: 'WebVTT captions',
  'whisper-cpp': 'whisper.cpp',
};

/** Returns what to do about a file that is no transcript of a known kind, by its name, or undefined. */
export function adviceFor(file: string): string | undefined {
  const kind = KINDS.find(([endings]) => endings.test(file));
  if (kind !== undefined) return kind[1];
  const words = file.toLowerCase().split(/[^a-z0-9]+/);
  const found = PRODUCT_EXPORTS.find(({ product }) =>
    product
      .toLowerCase()
      .split(' ')
      .every((word) => words.includes(word)),
  );
  return found && `It may be of ${found.product}. ${found.how}`;
}
