// Reads the notes of Gemini that stand above a transcript of Google Meet: summary, decisions, next steps.

import type { DraftActionItem } from '../../details.ts';
import { listItems } from '../../markdown-input.ts';
import type { RecordingFacts } from '../lines/dialect.ts';

/** The sections that are read, by their headings. The details repeat the conversation with its times. */
const SECTIONS: ReadonlyMap<string, Section> = new Map([
  ['Summary', 'summary'],
  ['Decisions', 'decisions'],
  ['Next steps', 'steps'],
  ['Suggested next steps', 'steps'],
  ['Details', 'other'],
]);

type Section = 'summary' | 'decisions' | 'steps' | 'other';

/** The heading of the notes. A short form of them can stand before it. */
const NOTES = /^📝 (?:Full notes|Notes)$/u;

/** The heading of the transcript below the notes. */
export const TRANSCRIPT_HEADING = '📖 Transcript';

/** Sentences about the notes themselves. */
const ABOUT_NOTES =
  /^[*_]*(?:You should review Gemini|How is the quality of |Please provide feedback about using Gemini|Rate this \w+:|We've updated the .{1,40} section using your feedback|Let us know what you think|Want to see more\?|Tip: )/;

/** Whether a line is the heading of notes. */
export function isNotesHeading(line: string): boolean {
  return NOTES.test(line.trim());
}

/** Reads the notes in the lines above a transcript. */
export function readNotes(
  lines: readonly string[],
): Pick<RecordingFacts, 'quick_summary' | 'key_takeaways'> {
  const parts = [...partsOf(lines)];
  const summary = parts.flatMap(({ section, text }) => (section === 'summary' ? [text] : []));
  const takeaways = parts.flatMap(({ section, text }) =>
    section === 'decisions' || section === 'steps' ? [text] : [],
  );
  return {
    quick_summary: summary
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
    key_takeaways: listItems(takeaways),
  };
}

/** `[Ana Ruiz] Roof: Call the roofer.` */
const OWNED = /^\[(?<owner>[^[\]]{1,80})\]\s+(?<what>\S[^]*)$/;

/** Reads the next steps of notes, which can name who takes them. */
export function readNextSteps(lines: readonly string[]): DraftActionItem[] {
  const steps = [...partsOf(lines)].filter(({ section }) => section === 'steps');
  return listItems(steps.map(({ text }) => text)).map((text) => {
    const { owner, what } = OWNED.exec(text)?.groups ?? {};
    return what === undefined ? { text } : { text: what, owner };
  });
}

/** Yields the lines of the sections that are read. */
function* partsOf(lines: readonly string[]): Generator<{ section: Section; text: string }> {
  let section: Section = 'other';
  for (const line of lines.slice(lines.findLastIndex(isNotesHeading) + 1)) {
    const text = line.trim();
    if (text === TRANSCRIPT_HEADING) break;
    const heading = SECTIONS.get(text);
    if (heading) section = heading;
    else if (ABOUT_NOTES.test(text)) continue;
    else if (section === 'summary' || !isGroup(text)) yield { section, text };
  }
}

/** Whether a line is the name of a group of decisions: `ALIGNED`. */
function isGroup(text: string): boolean {
  return /^[A-Z][A-Z ]+$/.test(text);
}
