// The Limitless export: a Markdown file for each lifelog, in the zip archive that the app makes.

import type { Draft, FileInfo, TextFormat } from '../format.ts';
import { toFileId } from '../id.ts';
import { headingsIn } from '../markdown-input.ts';
import { linesOf } from '../turns/lines.ts';
import { speakerLabel, toTranscript } from '../turns/turns.ts';

/** `> [8](#startMs=1764763311793&endMs=1764763317793): To Porto.` The label is a speaker's number. */
const SPOKEN =
  /^>\s*\[(?<label>[^[\]]{1,200})\]\(#startMs=(?<start>\d{1,14})&endMs=(?<end>\d{1,14})\):?\s*(?<text>[^]*)$/;

/** `2025-12-03_12h01m51s_Coffee.md`, in UTC. */
const FILE_NAME =
  /(?:^|\/)(?<date>\d{4}-\d\d-\d\d)_(?<hour>\d\d)h(?<minute>\d\d)m(?<second>\d\d)s[^/]*\.md$/i;

/** Files of the export that are no recordings: chats with the app, lists of meetings and persons, settings. */
const EXTRA =
  /(?:^|\/)(?:(?:chats|meetings)\/\d{4}\/\d\d\/\d\d\/.+|(?:persons|pendants)\/.+|user\/user)\.json$/i;

/** The export of Limitless. Speakers have numbers and no names. */
export const limitlessExport: TextFormat = {
  name: 'limitless-export',
  product: "Limitless lifelogs in Markdown, from the app's data export",
  matches: (head, name) =>
    /^>\s*\[[^[\]]{1,200}\]\(#startMs=\d/m.test(head) || (isLifelogFile(name) && /^#\s/.test(head)),
  read: toDraft,
};

/** Returns whether a file name is one that Limitless gives to a lifelog. */
export function isLifelogFile(name: string): boolean {
  return FILE_NAME.test(name);
}

/** Returns whether a file of the export is no recording. */
export function isLimitlessExtra(name: string): boolean {
  return EXTRA.test(name);
}

/** What was said, with both times in milliseconds since 1970. */
interface Spoken {
  readonly speaker: string;
  readonly text: string | undefined;
  readonly start: number;
  readonly end: number;
}

function toDraft(text: string, { name, started_at }: FileInfo): Draft {
  const found: Spoken[] = [];
  const chapters: { readonly title: string; readonly from: number }[] = [];
  let [first, last] = [Infinity, -Infinity];
  for (const line of linesOf(text)) {
    for (const title of headingsIn(line, 2)) chapters.push({ title, from: found.length });
    const spoken = SPOKEN.exec(line)?.groups;
    if (spoken === undefined) continue;
    const [start, end] = [Number(spoken['start']), Number(spoken['end'])];
    first = Math.min(first, start);
    last = Math.max(last, end);
    found.push({ speaker: speakerLabel(spoken['label']), text: spoken['text'], start, end });
  }
  const segments = found.map(({ start, end, ...said }) => ({
    ...said,
    start: (start - first) / 1000,
    end: (end - first) / 1000,
  }));
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.md$/i, '');
  return {
    id: toFileId(base || String(started_at)),
    has_file_id: true,
    name: headingsIn(text, 1)[0],
    started_at: segments.length > 0 ? first : (timeIn(name) ?? started_at),
    ended_at: segments.length > 0 ? last : undefined,
    key_takeaways: chapters.map(({ title }) => title),
    transcript: toTranscript(segments),
    details: {
      // A chapter begins with the first words below its heading.
      chapters: chapters.map(({ title, from }) => ({ title, start: segments[from]?.start })),
    },
  };
}

function timeIn(name: string): string | undefined {
  const { date, hour, minute, second } = FILE_NAME.exec(name)?.groups ?? {};
  return date && `${date}T${hour}:${minute}:${second}Z`;
}
