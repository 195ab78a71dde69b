// What surrounds the lines of a fetched memory: its head, its summary as far as it fits, and where to read on.

import type { Summary } from '../../contract/schemas/memory.ts';
import { beginning, cutText } from '../../text/surrogates.ts';
import { countFitting, sentBytes } from '../budget.ts';
import { urlOfPlace, writePlace, type MemoryPlace } from '../place.ts';
import { createHeadWriter, writeBlocks, writeLines, writeValues } from '../response.ts';
import { showOnOneLine } from '../show.ts';
import type { CallContext } from '../tool.ts';
import type { MemoryFields } from './memory-parts.ts';

/** The part of a budget that a summary gets. */
const SUMMARY_SHARE = 0.5;

/** What is told about the lines. */
interface About {
  /** The numbers of the first and the last line. */
  readonly lines?: readonly [first: number, last: number];
  readonly total_lines?: number;
  /** The id that continues. */
  readonly next?: string | undefined;
  readonly hint?: string;
  /** Lines of hints. */
  readonly hints?: string;
}

/** A response without its lines. */
export interface Frame {
  /** The bytes that the lines may take, as `sentBytes` counts them. */
  readonly room: number;
  readonly write: (text: string, about: About) => string;
}

/** The longest numbers, so that a budget has room for them. */
const LONGEST = 1_000_000_000;

/** Creates the frame of a memory or of a part of it. Only a whole memory has its summary. */
export function createFrame(
  context: CallContext,
  memory: MemoryFields,
  { place, budget }: { readonly place: MemoryPlace; readonly budget: number },
): Frame {
  const { started_at, ended_at, duration_seconds, summary } = memory;
  const { readerUrl, timezone } = context;
  const head = writeLines([
    createHeadWriter(timezone)(writePlace(place), memory),
    readerUrl === undefined ? '' : `link: ${urlOfPlace(place, readerUrl)}`,
    writeValues({
      started_at,
      ended_at,
      duration_seconds,
      timezone,
      now: new Date(context.now).toISOString(),
    }),
  ]);
  const create = (shown: string) => (text: string, about: About) => {
    const { lines, total_lines, next, hint, hints = '' } = about;
    const range = lines?.join('-');
    return writeBlocks([
      writeLines([head, shown, writeValues({ lines: range, total_lines, next, hint }), hints]),
      text,
    ]);
  };
  const longest: About = {
    lines: [LONGEST, LONGEST],
    total_lines: LONGEST,
    next: `${place.memory_id}#L${LONGEST}@${LONGEST}-L${LONGEST}`,
  };
  const bytesWith = (shown: string) => sentBytes(create(shown)('\n', longest));
  const hasSummary = place.first === undefined && !memory.is_processing;
  const shown = hasSummary
    ? fitSummary(summary, (text) => bytesWith(text) <= budget * SUMMARY_SHARE)
    : '';
  return { room: budget - bytesWith(shown) + sentBytes(''), write: create(shown) };
}

/** Writes as much of a summary as fits: its text, then its takeaways from the first one on. */
function fitSummary(
  { quick_summary, key_takeaways }: Summary,
  fits: (text: string) => boolean,
): string {
  const whole = `summary: ${showOnOneLine(quick_summary)}`;
  const cut = cutText(whole, fits);
  if (cut.length < whole.length) return `${beginning(cut, cut.length - 1)}…`;
  const lines = [whole, ...key_takeaways.map((each) => `takeaway: ${showOnOneLine(each)}`)];
  const count = countFitting(lines.length, (some) => fits(lines.slice(0, some).join('\n')));
  return lines.slice(0, count).join('\n');
}
