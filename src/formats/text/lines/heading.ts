// Reads what stands above the turns of a text: a heading of Markdown, or the front matter of notes.

import { isPresent } from '../../field-schemas.ts';
import type { FileInfo } from '../../format.ts';
import { readAsUtc, readProductTime } from '../../time/product-time.ts';
import { timeIn } from '../../time/written-time.ts';
import type { RecordingFacts, WholeFile } from './dialect.ts';

const FIELD = /^(?<name>title|date|created|start)\s*:\s*["']?(?<value>\S[^]*?)["']?\s*$/iu;
const HEADING = /^#{1,3} (?<title>\S.{0,300})$/u;
/** A line that is a date, perhaps with a label as people and Jitsi write it, and perhaps with a length as Feishu writes it: `2026年7月26日 下午 2:30|45分钟`. */
const DATE_LINE =
  /^(?:(?:date|datum|fecha|日期|时间|会议时间)\s*[:：]\s*|transcript of conference held at )?(?=.{0,20}(?:19|20)\d\d)[\d\p{L}][^|?!;]{5,60}(?:\|.{0,40})?$/iu;
/** A heading that names a part of the text. */
const PART = /^(?:full |meeting )?(?:transcript|transkript|transcription|conversation|notes)\W*$/i;

/** Returns the name and the start that a text states above its turns. */
export function readHeading(lines: readonly string[], { about }: WholeFile): RecordingFacts {
  const end =
    lines[0]?.trim() === '---' ? lines.findIndex((line, i) => i > 0 && line.trim() === '---') : -1;
  const fields = new Map(
    lines.slice(1, Math.max(1, end)).flatMap((line) => {
      const { name, value } = FIELD.exec(line)?.groups ?? {};
      return name && value ? [[name.toLowerCase(), value] as const] : [];
    }),
  );
  const [heading] = lines.slice(end + 1).flatMap((line) => {
    const { title = '' } = HEADING.exec(line)?.groups ?? {};
    return title === '' || PART.test(title) ? [] : title;
  });
  const dates = ['start', 'date', 'created'].flatMap((name) => fields.get(name) ?? []);
  const written = lines.slice(end + 1, end + 1 + TOP).flatMap((line) => dateIn(line) ?? []);
  const date = dates.find((each) => isPresent(readProductTime(each, readAsUtc))) ?? written[0];
  return {
    name: fields.get('title') ?? heading,
    // People put the start into the name of a file, but notes often have the day alone.
    started_at: about.dated_by !== 'name' || isMoreExact(date, about) ? date : undefined,
  };
}

/** Whether a text has the time of the day that the name of its file has. */
function isMoreExact(date: string | undefined, { started_at }: FileInfo): boolean {
  const day = String(started_at);
  return day.length === 'YYYY-MM-DD'.length && date !== day && date?.startsWith(day) === true;
}

/** How many lines above the turns can have the date. */
const TOP = 10;

function dateIn(line: string): string | undefined {
  const plain = line.replaceAll('**', '').trim();
  return DATE_LINE.test(plain) ? timeIn(plain) : undefined;
}
