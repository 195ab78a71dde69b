// Adds our server to the configuration of a client, and leaves everything else in it as it is.

import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';

import { SERVER_NAME } from '../../agents/clients/clients.ts';
import type { ClientFile } from './client-files.ts';

/** Returns a configuration with our server, in place of an earlier one of ours. Undefined if `text` cannot be read. */
export function withServer(
  text: string,
  addition: string,
  syntax: ClientFile['syntax'],
): string | undefined {
  return syntax === 'json' ? withJson(text, addition) : withToml(text, addition);
}

function withJson(text: string, addition: string): string | undefined {
  let merged = text.trim() === '' ? '{}\n' : text;
  const errors: ParseError[] = [];
  const whole: unknown = parse(merged, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(whole)) return undefined;
  const added: unknown = JSON.parse(addition);
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: indentOf(text) };
  for (const [path, value] of leavesOf(added)) {
    // A setting that the person made stays: only our own entry is replaced.
    if (path.at(-1) !== SERVER_NAME && at(whole, path) !== undefined) continue;
    if (path.some((_, depth) => isOther(at(whole, path.slice(0, depth))))) return undefined;
    merged = applyEdits(merged, modify(merged, path, value, { formattingOptions }));
  }
  return merged;
}

/** Returns the values of an addition with their paths, down to the entry of our server. */
function* leavesOf(value: unknown, path: string[] = []): Generator<readonly [string[], unknown]> {
  if (isObject(value) && path.at(-1) !== SERVER_NAME)
    for (const [name, each] of Object.entries(value)) yield* leavesOf(each, [...path, name]);
  else yield [path, value];
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

/** Whether a value stands where an object must be. */
function isOther(value: unknown): boolean {
  return value !== undefined && !isObject(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function indentOf(text: string): number {
  return /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
}

/** A table of TOML ends before the next one. Tables within it, such as that of its environment, belong to it. */
const OURS = new RegExp(
  String.raw`^\[mcp_servers\.${SERVER_NAME}(?:\.[^\]\n]+)?\][^\n]*\n?(?:(?!\s*\[)[^\n]*(?:\n|$))*`,
  'gm',
);

function withToml(text: string, addition: string): string {
  const others = text.replaceAll(OURS, '').trim();
  return `${others === '' ? '' : `${others}\n\n`}${addition}\n`;
}
