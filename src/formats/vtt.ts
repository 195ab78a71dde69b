// WebVTT: transcripts of Zoom, Teams and Google Meet, and captions of anything else.

import { toDraft } from './captions.ts';
import { readCues } from './cues.ts';
import type { TextFormat } from './format.ts';
import { fromMetadata, isMetadata } from './teams.ts';

/** WebVTT. */
export const vtt: TextFormat = {
  name: 'vtt',
  product: 'WebVTT of Zoom, Teams, Google Meet and others',
  begins: (head) => /^WEBVTT(?:\s|$)/.test(head),
  read: (text, about) => {
    const cues = readCues(text);
    return isMetadata(cues) ? fromMetadata(cues, about) : toDraft(cues, about);
  },
};
