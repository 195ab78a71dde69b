// Reads the items of a JSON file: one value, JSON Lines, or a stream of arrays and pages of any length.

import { decodeUtf8, notUtf8, splitLines, peek, TOO_LARGE, type ByteStream } from '../bytes.ts';
import type { ItemFormat } from '../format.ts';
import { parseJson } from './bare-numbers.ts';
import { NOT_JSON, parseStream } from './stream.ts';
import { isJsonObject, findItems } from './unwrap.ts';

/** The position of an item in a file, counted from 1. */
export interface ItemPosition {
  readonly line?: number;
  readonly item?: number;
}

/** A value with its position, or the reason why it cannot be read. */
export type FoundItem = ItemPosition & ({ readonly value: unknown } | { readonly reason: string });

/** A JSON file's name, and the formats to look for. */
export interface JsonSource {
  readonly name: string;
  readonly formats: readonly ItemFormat[];
}

/** Names of JSON Lines files. */
const JSON_LINES_FILE = /\.(jsonl|ndjson)$/i;

/** `[00:00:01]`, `[Anna]` and `{\rtf1` begin texts. */
const JSON_START = /^(?:\[\s*(?:[[{\]]|null\b|$)|\{\s*(?:["}]|$)|null\b|$)/;

/** Whether a file can be JSON. JSON Lines can begin with a broken line; other JSON begins with a list or an object. */
export function canBeJson(start: string, name: string): boolean {
  return JSON_LINES_FILE.test(name) || JSON_START.test(start);
}

const HEAD_BYTES = 1024 * 1024;

/** Yields the items of a JSON file in constant memory, and reasons for the parts that cannot be read. */
export async function* readItems(
  bytes: ByteStream,
  looking: JsonSource,
): AsyncGenerator<FoundItem> {
  const { head, isAll, whole } = await peek(bytes, HEAD_BYTES);
  const value = isAll ? parseJson(decodeUtf8(head) ?? '') : undefined;
  if (value !== undefined) yield* itemsAt({}, value, looking);
  else if (isLines(head, looking.name)) yield* readLines(whole, looking);
  else yield* readStream(whole, looking);
}

function* itemsAt(
  place: ItemPosition,
  value: unknown,
  { formats }: JsonSource,
): Generator<FoundItem> {
  const items = findItems(value, formats);
  const isAlone = items.length === 1 && items[0] === value;
  for (const [i, each] of items.entries())
    yield { ...place, ...(isAlone ? {} : { item: i + 1 }), value: each };
}

async function* readLines(bytes: ByteStream, looking: JsonSource): AsyncGenerator<FoundItem> {
  let line = 0;
  for await (const each of splitLines(bytes)) {
    line++;
    const text = each && decodeUtf8(each);
    if (each === undefined) yield { line, reason: TOO_LARGE };
    else if (text === undefined) yield { line, reason: notUtf8(each) };
    else if (text.trim() !== '') {
      const value = parseJson(text);
      if (value === undefined) yield { line, reason: NOT_JSON };
      else yield* itemsAt({ line }, value, looking);
    }
  }
}

/** Whether a file is JSON Lines, by its name or its first lines. More than half of them must be objects. */
function isLines(head: Uint8Array, name: string): boolean {
  if (JSON_LINES_FILE.test(name)) return true;
  const first = new TextDecoder().decode(head).split('\n', 10);
  const lines = first.map((line) => line.trim()).filter(Boolean);
  const whole = lines.filter((line) => line.startsWith('{') && isJsonObject(parseJson(line)));
  return whole.length * 2 > lines.length;
}

async function* readStream(bytes: ByteStream, { formats }: JsonSource): AsyncGenerator<FoundItem> {
  let item = 0;
  for await (const streamed of parseStream(bytes, formats)) {
    if ('reason' in streamed) yield { item: item + 1, reason: breakOf(streamed.reason) };
    // A value in an array can itself be a page or an array.
    else for (const value of findItems(streamed.value, formats)) yield { item: ++item, value };
  }
}

/** Says that the rest of a file is not read. An item that is too large would be so in another copy. */
function breakOf(reason: string): string {
  const rest = `${reason}; nothing is read from here to its end`;
  return reason === NOT_JSON ? `${rest}, so copy it or export it again` : rest;
}
