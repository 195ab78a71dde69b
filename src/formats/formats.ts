// The list of all import formats, in the order in which they are tried.

import { sbv } from './captions/sbv.ts';
import { srt } from './captions/srt.ts';
import { vtt } from './captions/vtt.ts';
import type { ItemFormat, TextFormat } from './format.ts';
import { anarlog } from './products/anarlog.ts';
import { beeSync } from './products/bee-sync.ts';
import { bee } from './products/bee.ts';
import { circleback } from './products/circleback.ts';
import { fathom } from './products/fathom.ts';
import { fireflies } from './products/fireflies.ts';
import { gong } from './products/gong.ts';
import { granolaCache } from './products/granola-cache.ts';
import { granolaCsv } from './products/granola-csv.ts';
import { granola } from './products/granola.ts';
import { hyprnote, hyprnoteNotes } from './products/hyprnote.ts';
import { limitlessExport } from './products/limitless-export.ts';
import { limitless } from './products/limitless.ts';
import { meetily } from './products/meetily.ts';
import { memory } from './products/memory.ts';
import { muesli } from './products/muesli.ts';
import { omi } from './products/omi.ts';
import { otterApi } from './products/otter-api.ts';
import { plaudApi, plaudTranscript } from './products/plaud-api.ts';
import { pocket } from './products/pocket.ts';
import { readai } from './products/readai.ts';
import { screenpipe } from './products/screenpipe.ts';
import { scriberr } from './products/scriberr.ts';
import { speakr } from './products/speakr.ts';
import { tldv } from './products/tldv.ts';
import { vexa } from './products/vexa.ts';
import { assemblyai } from './recognisers/assemblyai.ts';
import { awsTranscribe } from './recognisers/aws-transcribe.ts';
import { deepgram } from './recognisers/deepgram.ts';
import { speechResults } from './recognisers/results.ts';
import { segments } from './recognisers/segments.ts';
import { whisperCpp } from './recognisers/whisper-cpp.ts';
import { whisper } from './recognisers/whisper.ts';
import { fathomText } from './text/fathom-text.ts';
import { googleMeet } from './text/google/google-meet.ts';
import { namedText } from './text/named-text.ts';
import { notionNotes } from './text/notion-notes.ts';
import { otterText } from './text/otter.ts';
import { teams } from './text/teams-document.ts';
import { timedText } from './text/timed-text.ts';
import { zoomCaptions } from './text/zoom/zoom-captions.ts';
import { zoomChat } from './text/zoom/zoom-chat.ts';

/** The formats whose recordings are JSON objects. */
export const itemFormats: readonly ItemFormat[] = [
  memory,
  limitless,
  omi,
  granola,
  fathom,
  fireflies,
  bee,
  tldv,
  readai,
  screenpipe,
  speakr,
  vexa,
  whisper,
  whisperCpp,
  assemblyai,
  deepgram,
  awsTranscribe,
  speechResults,
  otterApi,
  plaudApi,
  plaudTranscript,
  pocket,
  scriberr,
  gong,
  meetily,
  hyprnote,
  anarlog,
  muesli,
  granolaCache,
  granolaCsv,
  circleback,
  segments,
];

/** The formats of texts that only one product or standard has. */
const productTexts: readonly TextFormat[] = [
  vtt,
  srt,
  sbv,
  limitlessExport,
  otterText,
  googleMeet,
  zoomCaptions,
  zoomChat,
  teams,
  fathomText,
  notionNotes,
  beeSync,
  hyprnoteNotes,
];

/** The formats whose files are texts. The forms that many programs share are looked for in what is left. */
export const textFormats: readonly TextFormat[] = [
  ...productTexts,
  unless(productTexts, timedText),
  unless([...productTexts, timedText], namedText),
];

function unless(others: readonly TextFormat[], format: TextFormat): TextFormat {
  const matches: TextFormat['matches'] = (head, name) =>
    !others.some((other) => other.matches(head, name)) && format.matches(head, name);
  return { ...format, matches };
}

/** The products of all formats, by the names that `--format` takes. A product with JSON and Markdown has one name. */
export const products: ReadonlyMap<string, string> = new Map(
  [...itemFormats, ...textFormats].map(({ name, product }) => [name, product]),
);

/** The names of all formats, for `--format`. */
export const formatNames: readonly string[] = [...products.keys()];
