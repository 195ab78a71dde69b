// The Limitless export: a Markdown file for each lifelog, in the zip archive that the app makes.

import type { Draft, FileInfo, TextFormat } from '../format.ts';
import { toFileId } from '../id.ts';
import { headingsIn } from '../markdown-input.ts';
import { linesOf } from '../turns/lines.ts';
import { speakerLabel, toTranscript, type Segment } from '../turns/turns.ts';

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

function toDraft(text: string, { name, started_at }: FileInfo): Draft {
  const segments: Segment[] = [];
  let [first, last] = [Infinity, -Infinity];
  for (const line of linesOf(text)) {
    const spoken = SPOKEN.exec(line)?.groups;
    if (spoken === undefined) continue;
    first = Math.min(first, Number(spoken['start']));
    last = Math.max(last, Number(spoken['end']));
    segments.push({ speaker: speakerLabel(spoken['label']), text: spoken['text'] });
  }
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.md$/i, '');
  return {
    id: toFileId(base || String(started_at)),
    has_file_id: true,
    name: headingsIn(text, 1)[0],
    started_at: segments.length > 0 ? first : (timeIn(name) ?? started_at),
    ended_at: segments.length > 0 ? last : undefined,
    key_takeaways: headingsIn(text, 2),
    transcript: toTranscript(segments),
  };
}

function timeIn(name: string): string | undefined {
  const { date, hour, minute, second } = FILE_NAME.exec(name)?.groups ?? {};
  return date && `${date}T${hour}:${minute}:${second}Z`;
}
