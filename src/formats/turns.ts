// Turns: who said what, in order, as the lines of a transcript.

/** A piece of speech; nobody's where the speaker is not known. */
export interface Segment {
  readonly speaker?: string | null | undefined;
  readonly text?: string | null | undefined;
}

/**
 * Makes a transcript of segments: a line a turn, `Name: text`. What one speaker says in segments that
 * follow one another is one turn; of nobody each segment is one. Empty segments are left out.
 */
export function toTranscript(segments: Iterable<Segment>): string {
  const lines: string[] = [];
  let turn: { speaker: string; texts: string[] } | undefined;
  const end = () => {
    if (turn) lines.push(`${turn.speaker && `${turn.speaker}: `}${turn.texts.join(' ')}`);
  };
  for (const segment of segments) {
    const text = onOneLine(segment.text);
    const speaker = onOneLine(segment.speaker);
    if (text === '') continue;
    if (turn && speaker !== '' && turn.speaker === speaker) {
      turn.texts.push(text);
      continue;
    }
    end();
    turn = { speaker, texts: [text] };
  }
  end();
  return lines.join('\n');
}

/** Names a speaker by a label: one who is only numbered is `Speaker 2`, as products say it. */
export function labelOf(label: string | number | null | undefined): string {
  const text = String(label ?? '').trim();
  return /^\d+$/.test(text) ? `Speaker ${text}` : text;
}

/** Parts a transcript that came as one text into its lines; who speaks stands in them, where it is known. */
export function segmentsOf(text: string): Segment[] {
  return text.split(/\r\n|[\n\r]/).map((line) => ({ text: line }));
}

/** Puts a text on one line, without spaces at its ends. */
export function onOneLine(text: string | null | undefined): string {
  return text?.replaceAll(/\s+/g, ' ').trim() ?? '';
}
