// Speakers: reads the name before a turn of a transcript.

/**
 * A name, a colon, and a space or the end. Names begin with a letter or a digit, telephone numbers with a
 * plus sign. Times do not match. Minutes write an office behind a name, in brackets, which may make it long.
 */
const SPEAKER = /^((?:\+(?=\p{N}))?[\p{L}\p{N}][^:!?;\n]{0,59}(?: \([^:!?;\n]{0,137}\))?):(?= |$)/u;

/** How many characters a name without brackets has at most. */
const MAX_NAME = 60;

/** How many characters a name and its colon have at most. */
export const MAX_LABEL = 201;

/** Returns the speaker of a line such as `Mira: Milk.`, or undefined. Lines that only look like a turn count as one. */
export function speakerOf(line: string): string | undefined {
  return SPEAKER.exec(line)?.[1];
}

/** Brackets or quotes around the first words of a name. */
const ENCLOSED = /^[([{<"“]([^)\]}>"”]*)[)\]}>"”]/;
/** What no name of a speaker begins with or has. */
const UNREADABLE = /^[^\p{L}\p{N}]+|[:!?;\n]/gu;

/**
 * Returns a name as it can stand before a turn. One that nothing would take for a speaker, so that its words would be
 * those of the turn before, loses what is odd: `🌸 Anna` is `Anna`, `Yahoo!` is `Yahoo`. Without a letter and a digit it
 * is `Unknown speaker`.
 */
export function speakerName(name: string): string {
  if (name === '' || speakerOf(`${name}:`) !== undefined) return name;
  const readable = name
    .replace(ENCLOSED, '$1')
    .replaceAll(UNREADABLE, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (readable === '') return 'Unknown speaker';
  if (speakerOf(`${readable}:`) !== undefined) return readable;
  return Array.from(readable).slice(0, MAX_NAME).join('').trim();
}

/** Returns a transcript with other speakers: `rename` returns the new name for each, or the same. */
export function renameSpeakers(transcript: string, rename: (name: string) => string): string {
  return transcript.replaceAll(/[^\n]+/g, (line) => {
    const name = speakerOf(line);
    return name === undefined ? line : `${rename(name)}${line.slice(name.length)}`;
  });
}

/** The name that imports give the owner, where a product only says that it was the owner who spoke. */
export const OWNER = 'User';

/** Returns a transcript as others read it: an owner whom the product has not named has a name. */
export function nameOwner(transcript: string, owner: string): string {
  return renameSpeakers(transcript, (name) => (name === OWNER ? owner : name));
}

/** What recognisers and products write for a speaker whose name they do not know. Names begin like some: `Chris`. */
const LABEL =
  /^(?:un\w+ )?(?:speaker|spk|sprecher(?:in)?|locuteur|interviewe[er]|participant|guest|person|channel|ch|unknown|unbekannt|说话人|发言人|話者)(?:[ _:-]?\d+|[ _-][a-z])?(?:, speaker \w+)?$/i;

/** Returns whether a speaker has a label instead of a name: `Speaker 1`, `SPEAKER_00`, `Unknown`. Each recording gives its own. */
export function isSpeakerLabel(name: string): boolean {
  return LABEL.test(name);
}
