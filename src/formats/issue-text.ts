// Says what is wrong with an item, in plain words and with the product's own names of fields.

import * as v from 'valibot';

import { firstOfTurns } from './text/named-text.ts';

/** The longest reason, in characters. A reason could otherwise quote a whole transcript. */
const MAX_REASON_LENGTH = 160;

/** Validates and converts an item. Returns the reason if it cannot. */
export function parseItem<T>(item: v.GenericSchema<unknown, T>, value: unknown) {
  try {
    const { issues, output } = v.safeParse(item, value, { abortEarly: true });
    return issues ? { reason: issueText(issues[0]) } : output;
  } catch (error) {
    // A hundred thousand levels of nesting overflow the stack.
    if (error instanceof RangeError) return { reason: 'it is nested too deeply' };
    throw error;
  }
}

/** Returns what is wrong with an item, and where: `its "title" must be a text, not a list`. */
export function issueText(issue: v.BaseIssue<unknown>): string {
  const reason = reasonOf(issue, v.getDotPath(issue));
  return reason.length <= MAX_REASON_LENGTH ? reason : `${reason.slice(0, MAX_REASON_LENGTH)}…`;
}

function reasonOf(
  { kind, type, expected, received, message }: v.BaseIssue<unknown>,
  path: string | null,
) {
  const field = path === null ? 'it' : `its "${path}"`;
  if (kind === 'schema' && received === 'undefined')
    return path === null ? 'it is missing' : `it has no "${path}"`;
  if (kind === 'schema' && expected !== null)
    return `${field} must be ${kindsOf(expected)}, not ${kindOf(received)}`;
  if (type === 'parse_json') return `${field} is not JSON`;
  if (path === null) return message;
  // Schemas of ours say what is wrong with a field: "it is empty".
  return message.startsWith('it ') ? `${field} ${message.slice(3)}` : `${field}: ${message}`;
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['NaN', 'a number'],
  ['Infinity', 'a number'],
  ['boolean', 'true or false'],
  ['Array', 'a list'],
  ['Object', 'an object'],
  ['Date', 'a Date'],
]);

/** Names what a schema expects, without the words for a missing value. */
function kindsOf(expected: string): string {
  const kinds = expected
    .replaceAll(/[()]/g, '')
    .split(' | ')
    .filter((kind) => kind !== 'null' && kind !== 'undefined');
  return kinds.map(kindOf).join(' or ');
}

/** Names a kind of value as valibot writes it. It quotes texts, and writes numbers as they are. */
function kindOf(kind: string): string {
  const known = KINDS.get(kind);
  if (known !== undefined) return known;
  if (/^-?\d/.test(kind)) return 'a number';
  return kind;
}

/** Captions that are not read: programs that edit subtitles and YouTube write them. */
const OTHER_CAPTIONS = /\.(?:ass|ssa|ttml|dfxp|srv[1-3]|sub|smi|stl)$/i;

/** The reason to reject a file that is of no form at all. */
export const NO_FORMAT =
  'it is neither JSON, captions nor a transcript of a known form; see "help import" for what is read';

/** Returns why a file is not read, and what to do if its name or its beginning says what it is. */
export function reasonOfUnknown(name: string, start: string): string {
  if (/\.[ct]sv$/i.test(name))
    return 'it is a table without known columns; name them start, end, speaker and text if its rows are what was said, or pass --format csv, with --map, if each row is a memory';
  if (OTHER_CAPTIONS.test(name))
    return 'it has captions in a form that is not read; save it as .srt or .vtt, for example with Subtitle Edit';
  const speaker = firstOfTurns(start);
  if (speaker === undefined) return NO_FORMAT;
  return `it has lines such as "${speaker}: …", but may be a list; if it is a conversation, begin each turn with a time, as in "[00:00:00] ${speaker}: …"`;
}
