// Says which part of a memory is in no file of an import.

import { shortId } from './id.ts';

/** Says that the part is missing to which another one belongs, such as the meeting of a transcript. */
export function missingOwner(what: string, id: string): string {
  return `its ${what} ${shortId(id)} is not in this import; give the file with it as well`;
}

/** Says that the transcript is missing. `of` names what it is of: `the meeting `, or nothing. */
export function missingTranscript(of: string, id: string): string {
  return `it has no transcript; give the file with the transcript of ${of}${shortId(id)} as well`;
}
