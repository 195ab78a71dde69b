// The WebVTT format: transcripts of Zoom, Teams and Google Meet, and captions of other programs.

import type { TextFormat } from '../format.ts';
import { captionsToDraft, firstCue, readCaptions } from './captions.ts';
import { readTeamsMetadata, isTeamsMetadata } from './teams.ts';

/** WebVTT. */
export const vtt: TextFormat = {
  name: 'vtt',
  product: 'WebVTT of Zoom, Teams, Google Meet and others',
  matches: (head) => /^WEBVTT(?:\s|$)/.test(head),
  readLines: (about) =>
    readCaptions(about, (cues) =>
      isTeamsMetadata(firstCue(cues))
        ? readTeamsMetadata(cues, about)
        : captionsToDraft(cues, about),
    ),
};
