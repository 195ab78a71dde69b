// Says what is wrong with an item, in plain words and with the product's own names of fields.

import * as v from 'valibot';

import { shortened } from '../text/surrogates.ts';

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
  return shortened(reasonOf(issue, v.getDotPath(issue)), MAX_REASON_LENGTH);
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
