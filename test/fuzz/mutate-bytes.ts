// Mutations of the bytes of a request.

import type { Larder } from './dictionary.ts';
import { comes, few, pick, type Dice } from './random.ts';

type Mutation = (bytes: string, dice: Dice, larder: Larder) => string;

/** Replaces a part of a text. */
function put(bytes: string, { at, length }: { at: number; length: number }, text: string): string {
  return bytes.slice(0, at) + text + bytes.slice(at + length);
}

function part(bytes: string, dice: Dice, most = 30): { at: number; length: number } {
  const at = dice(bytes.length + 1);
  return { at, length: Math.min(few(dice, most), bytes.length - at) };
}

const MUTATIONS: readonly Mutation[] = [
  function flip(bytes, dice) {
    const at = dice(bytes.length + 1);
    const code = (bytes.charCodeAt(at) || 0) ^ (1 << dice(8));
    return put(bytes, { at, length: 1 }, String.fromCharCode(code));
  },
  function insert(bytes, dice) {
    const random = Array.from({ length: few(dice, 8) }, () => String.fromCharCode(dice(256)));
    return put(bytes, { at: dice(bytes.length + 1), length: 0 }, random.join(''));
  },
  function remove(bytes, dice) {
    return put(bytes, part(bytes, dice), '');
  },
  function duplicate(bytes, dice) {
    const { at, length } = part(bytes, dice, 200);
    return put(bytes, { at, length: 0 }, bytes.slice(at, at + length).repeat(few(dice, 4)));
  },
  function cut(bytes, dice) {
    return bytes.slice(0, dice(bytes.length + 1));
  },
  function token(bytes, dice, { tokens }) {
    const { at, length } = part(bytes, dice, 10);
    return put(bytes, { at, length: comes(dice, 500) ? 0 : length }, pick(dice, tokens));
  },
  function splice(bytes, dice, { others }) {
    const other = pick(dice, others);
    return bytes.slice(0, dice(bytes.length + 1)) + other.slice(dice(other.length + 1));
  },
  function repeatLine(bytes, dice) {
    const lines = bytes.split('\r\n');
    const at = dice(lines.length);
    return lines.toSpliced(dice(lines.length), 0, lines[at] ?? '').join('\r\n');
  },
  function removeLine(bytes, dice) {
    const lines = bytes.split('\r\n');
    return lines.toSpliced(dice(lines.length), 1).join('\r\n');
  },
  function endLines(bytes, dice) {
    const ends = ['\n', '\r', '\r\n\r\n', '\r\r\n', '\r\n ', '\0'];
    const lines = bytes.split('\r\n');
    const at = dice(lines.length);
    return `${lines.slice(0, at).join('\r\n')}${pick(dice, ends)}${lines.slice(at).join('\r\n')}`;
  },
  function number(bytes, dice) {
    const numbers = ['0', '-1', '00', '1e3', '0x10', '4294967296', '9'.repeat(20)];
    const found = [...bytes.matchAll(/\d+/g)];
    if (found.length === 0) return bytes;
    const { 0: digits, index: at } = pick(dice, found);
    return put(bytes, { at, length: digits.length }, pick(dice, numbers));
  },
  function lengthen(bytes, dice) {
    const at = dice(bytes.length + 1);
    const length = pick(dice, [100, 1000, 8192, 16_384, 40_000]);
    return put(bytes, { at, length: 0 }, (bytes[at] ?? 'a').repeat(length));
  },
  function respell(bytes, dice) {
    const { at, length } = part(bytes, dice, 40);
    const old = bytes.slice(at, at + length);
    const upper = old.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
    return put(bytes, { at, length }, old === upper ? old.toLowerCase() : upper);
  },
];

/** Applies one or a few mutations. */
export function mutate(bytes: string, dice: Dice, larder: Larder): string {
  let changed = bytes;
  for (let i = few(dice, 5); i > 0; i--) changed = pick(dice, MUTATIONS)(changed, dice, larder);
  return changed;
}
