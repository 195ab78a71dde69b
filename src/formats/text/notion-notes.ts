// AI meeting notes of Notion: the block of a page, in the Markdown of Notion's API.

import * as v from 'valibot';

import { TimeZone } from '../../contract/schemas/moment.ts';
import { localReader } from '../../lib/timezone.ts';
import { describeFile, NO_START } from '../captions/captions.ts';
import type { WholeTextFormat } from '../format.ts';
import { bulletsIn, joinParagraphs, listItems } from '../markdown-input.ts';
import { lastOffset } from '../time/offsets.ts';
import { hasTime, readProductTime } from '../time/product-time.ts';
import { linesOf } from '../turns/lines.ts';
import { toTranscript } from '../turns/turns.ts';
import { filledLines, plainText } from './lines/plain-lines.ts';
import { timedSegments } from './timed-text.ts';

const BLOCK = /^[ \t]*<meeting-notes[^<>]*>/m;
const DATE = /<mention-date start="(?<day>\d{4}-\d\d-\d\d)(?<more>[^<>]{0,200})/;
const CLOCK = /\b\d\d:\d\d\b/;
const ZONE = /\btimeZone="(?<zone>[^"]+)"/;
const TO_DO = /^\s*[-*] \[(?<mark>[ xX])\] (?<text>\S[^]*)$/;

/** Notion's meeting notes. Written from its enhanced Markdown: `<meeting-notes>` with a summary, notes and a transcript. */
export const notionNotes: WholeTextFormat = {
  name: 'notion',
  product: "Notion's AI meeting notes as Markdown of its API",
  matches: (head) => BLOCK.test(head),
  read: async (text, about) => {
    const [, block = ''] = plainText(text).split(BLOCK);
    const [title = ''] = filledLines(block);
    const started_at = (await mentioned(block)) ?? about.started_at;
    if (!hasTime(started_at)) return { reason: NO_START };
    const summary = section(block, 'summary');
    const segments = timedSegments(section(block, 'transcript'));
    const transcript = toTranscript(segments);
    const file = describeFile({ ...about, started_at });
    return {
      ...file,
      name: listItems(title.replaceAll(/<[^<>]*>/g, ''))[0] ?? file.name,
      started_at,
      duration_seconds: lastOffset(segments),
      quick_summary: joinParagraphs(summary, section(block, 'notes')),
      key_takeaways: bulletsIn(summary),
      transcript,
      lacks: transcript.text === '' ? NO_TRANSCRIPT : undefined,
      details: {
        action_items: linesOf(summary).flatMap((line) => {
          const found = TO_DO.exec(line)?.groups;
          return found ? [{ text: found['text'], done: found['mark'] !== ' ' }] : [];
        }),
      },
    };
  },
};

const NO_TRANSCRIPT = 'it has no transcript; ask the API for it with include_transcript=true';

/** Resolves with the first time that a block mentions, in its time zone if it names one. */
async function mentioned(block: string): Promise<string | undefined> {
  const { day, more = '' } = DATE.exec(block)?.groups ?? {};
  if (day === undefined) return undefined;
  const [clock = '00:00'] = CLOCK.exec(more) ?? [];
  const local = `${day}T${clock}:00`;
  const zone = ZONE.exec(more)?.groups?.['zone'];
  if (!v.is(TimeZone, zone)) return local;
  const at = readProductTime(local, await localReader(zone));
  return at === undefined ? local : new Date(at).toISOString();
}

/** Returns the text of a section without the tabs before its lines. */
function section(block: string, name: string): string {
  const from = block.indexOf(`<${name}>`);
  const until = block.indexOf(`</${name}>`, from);
  if (from === -1 || until === -1) return '';
  return block
    .slice(from + name.length + 2, until)
    .replaceAll(/^\t{1,2}/gm, '')
    .trim();
}
