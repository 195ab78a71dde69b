// Reads the texts of the tools as data, by nothing but their form: so no text of a memory can pass for another part.

import assert from 'node:assert/strict';

type Values = Readonly<Record<string, string>>;

/** A part of a response: its head, its named values, and its lines that begin with a number or the name of a field. */
interface Block {
  readonly head: readonly string[];
  readonly values: Values;
  readonly lines: readonly string[];
}

const LINE = /^(?:L\d+|summary|takeaway|name): /;
const HINT =
  /^(?:absent_words|nearest_words|searched_instead|never_said_by_speaker|hint|links|found): /;
const VALUES = /^[a-z_]+: /;

function readBlock(text: string): Block {
  const values: Record<string, string> = {};
  const lines: string[] = [];
  let head: readonly string[] = [];
  for (const line of text.split('\n')) {
    if (LINE.test(line)) lines.push(line);
    else if (VALUES.test(line))
      for (const value of HINT.test(line) ? [line] : line.split(/ · (?=[a-z_]+: )/)) {
        const at = value.indexOf(': ');
        values[value.slice(0, at)] = value.slice(at + 2);
      }
    else head = line.split(' · ');
  }
  return { head, values, lines };
}

function listOf(words: string | undefined): string[] {
  return words === undefined ? [] : words.split(', ');
}

/** Returns the numbers of the lines in an id. */
function linesOf(id = ''): number[] {
  const [, first, last = first] = /#L(\d+)(?:-L(\d+))?$/.exec(id) ?? [];
  return first === undefined ? [] : [Number(first), Number(last)];
}

function windowOf({ started_after, started_before, timezone }: Values) {
  return {
    started_after: started_after ?? null,
    started_before: started_before ?? null,
    timezone,
  };
}

/** Returns the title of a head line, which may have the mark between parts as well. */
function titleOf(head: readonly string[], parts: number): string {
  return head.slice(parts).join(' · ');
}

const valueOf = (lines: readonly string[], name: string) =>
  lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));

interface Piece {
  readonly source: string | undefined;
  readonly numbers: number[];
  readonly lines: string[];
}

/** Returns the passages of a memory: lines in sequence, and the lines of its name and of its summary. */
function toResults({ head, values, lines }: Block) {
  const [place = '', local_time] = head;
  const [memory_id = ''] = place.split('#');
  const pieces: Piece[] = [];
  for (const line of lines) {
    const [, source, number = '0'] = /^(?:(summary|name)|L(\d+)): /.exec(line) ?? [];
    const last = pieces.at(-1);
    const isNext = source !== undefined || Number(number) === (last?.numbers.at(-1) ?? 0) + 1;
    const isSame = last !== undefined && last.source === source && isNext;
    const piece: Piece = isSame ? last : { source, numbers: [], lines: [] };
    if (!isSame) pieces.push(piece);
    if (source === undefined) piece.numbers.push(Number(number));
    piece.lines.push(line);
  }
  const [only, ...others] = pieces.filter(({ numbers }) => numbers.length > 0);
  return pieces.map(({ source, numbers, lines: own }) => {
    const [first, last] = [numbers[0], numbers.at(-1)];
    const range = first === undefined ? '' : `#L${first}${first === last ? '' : `-L${last}`}`;
    const id = `${memory_id}${range}`;
    // The head names the lines if they are in one piece.
    const isNamed = others.length === 0 && numbers === only?.numbers;
    if (isNamed && values['is_cut'] === undefined) assert.equal(place, id);
    return {
      id,
      memory_id,
      title: titleOf(head, 2),
      local_time,
      lines: linesOf(id),
      text: own.join('\n'),
      is_processing: values['is_processing'] === 'true',
      ...(source !== undefined && { source }),
      ...(values['is_cut'] !== undefined && { is_cut: true }),
      ...(values['link'] !== undefined && { url: values['link'] }),
    };
  });
}

const readers: Readonly<Record<string, (blocks: readonly Block[]) => object>> = {
  search([{ values } = readBlock(''), ...blocks]) {
    const cursor = blocks.at(-1)?.values['cursor'];
    const near = (values['nearest_words'] ?? '').split('; ').filter(Boolean);
    return {
      ...values,
      results: (cursor === undefined ? blocks : blocks.slice(0, -1)).flatMap(toResults),
      memories_found: Number(values['memories_found']),
      memories_searched: Number(values['memories_searched']),
      absent_words: listOf(values['absent_words']),
      nearest_words: Object.fromEntries(
        near.map((each) => [each.split(' → ')[0], listOf(each.split(' → ')[1])]),
      ),
      never_said: listOf(values['never_said_by_speaker']),
      window: windowOf(values),
      more: cursor !== undefined,
      cursor,
    };
  },
  fetch([{ head, values, lines } = readBlock(''), text]) {
    const [quick_summary] = valueOf(lines, 'summary');
    const { total_lines, lines: range = '', link } = values;
    return {
      id: head[0],
      title: titleOf(head, 2),
      url: link,
      text: text?.lines.join('\n') ?? '',
      metadata: {
        ...values,
        is_processing: values['is_processing'] === 'true',
        summary:
          quick_summary === undefined
            ? null
            : { quick_summary, key_takeaways: valueOf(lines, 'takeaway') },
        lines: range === '' ? [] : range.split('-').map(Number),
        total_lines: total_lines === undefined ? null : Number(total_lines),
        absent_words: listOf(values['absent_words']),
      },
      now: values['now'],
    };
  },
  list_memories([{ values } = readBlock(''), ...blocks]) {
    const cursor = blocks.at(-1)?.values['cursor'];
    const memories = (cursor === undefined ? blocks : blocks.slice(0, -1)).map((block) => ({
      id: block.head[0],
      name: titleOf(block.head, 2),
      local_time: block.head[1],
      is_processing: block.values['is_processing'] === 'true',
      quick_summary: valueOf(block.lines, 'summary')[0] ?? null,
      lines: block.values['lines'] === undefined ? null : Number(block.values['lines']),
      found: block.values['found'],
    }));
    return { memories, window: windowOf(values), cursor, more: cursor !== undefined };
  },
  list_changes([{ values } = readBlock(''), ...blocks]) {
    const next = blocks.at(-1)?.values['next'];
    return { ...values, changes: [], next, more: next !== undefined };
  },
  check_quote([{ head, values } = readBlock(''), ...blocks]) {
    const found = values['match'] !== 'none';
    const places = blocks.filter((block) => linesOf(block.head[0]).length > 0).map(toPlace);
    return {
      ...values,
      id: head[0],
      found,
      occurrences: Number(values['occurrences']),
      [found ? 'places' : 'nearest']: places,
    };
  },
};

function toPlace({ head, values, lines }: Block) {
  const [id] = head;
  const { link: url } = values;
  const text = lines.join('\n');
  return {
    id,
    lines: linesOf(id),
    ...(text !== '' && { text }),
    ...(url !== undefined && { url }),
  };
}

/** Returns the data in the text of a tool. */
export function readResponse(tool: string, text: string): object {
  const blocks = text.split('\n\n');
  const read = readers[tool]?.(blocks.map(readBlock)) ?? {};
  return tool === 'list_changes' ? { ...read, changes: readChanges(blocks) } : read;
}

function readChanges([, ...blocks]: readonly string[]) {
  return blocks
    .filter((block) => !block.startsWith('next: '))
    .flatMap((block) => block.split('\n'))
    .map((line) => {
      const [memory_id, change, changed_at, ...title] = line.split(' · ');
      return { memory_id, change, changed_at, title: title.join(' · ') || null };
    });
}
