// Converts a memory to a Markdown note with front matter, for Obsidian and other programs.

import type { Memory } from '../../contract/schemas/memory.ts';
import { itemLine, type WrittenItem } from '../../text/item-text.ts';
import { speakerOf } from '../../text/speaker.ts';
import { cleanLines, escapeBlock, escapeInline, escapeMarkdownLine } from './escape.ts';
import { memoryPath } from './filename.ts';

/** A note: its path below the export folder, with `/` between names, and its text. */
export interface Note {
  readonly name: string;
  readonly text: string;
}

/** What a note has of a memory. */
export type NotedMemory = Pick<
  Memory,
  | 'id'
  | 'name'
  | 'started_at'
  | 'ended_at'
  | 'duration_seconds'
  | 'is_processing'
  | 'summary'
  | 'transcript'
> & {
  /** Default: it has none. */
  readonly action_items?: readonly WrittenItem[] | undefined;
};

/**
 * Converts a memory to a note named by its day, as in `2026/2026-11-18 Voice memo.md`. If the name is
 * taken, the id is added, and then a number. The day is that in UTC by default.
 */
export function toMarkdown(
  memory: NotedMemory,
  isTaken: (name: string) => boolean,
  day = memory.started_at.slice(0, 'YYYY-MM-DD'.length),
): Note {
  const parts = [frontMatter(memory, day), ...body(memory)];
  const { id, name: title } = memory;
  const name = memoryPath({ id, title, before: `${day} `, ending: '.md' }, isTaken);
  return { name, text: `${parts.join('\n\n')}\n` };
}

function frontMatter(memory: NotedMemory, day: string): string {
  const { id, name, started_at, ended_at, duration_seconds, is_processing } = memory;
  const fields = { id, name, started_at, ended_at, duration_seconds, is_processing };
  return [
    '---',
    ...Object.entries(fields).map(([key, value]) => `${key}: ${toYaml(value)}`),
    `date: ${day}`, // unquoted, so that Obsidian reads a date
    'tags: [memory]',
    '---',
  ].join('\n');
}

/** Converts a value to YAML: JSON with escapes for characters that some YAML readers refuse. */
function toYaml(value: string | number | boolean): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function body({ name, summary, transcript, action_items = [] }: NotedMemory): string[] {
  const title = cleanLines(name).filter(Boolean).join(' ');
  const quick = summaryToMarkdown(summary.quick_summary);
  const takeaways = summary.key_takeaways.map(bullet).filter(Boolean);
  // The box is the only markup of an item.
  const items = action_items.map((item) => bullet(itemLine(item)).replace('\\[', '['));
  const turns = cleanLines(transcript).filter(Boolean).map(turn);
  return [
    `# ${escapeInline(title) || 'Untitled'}`,
    ...(quick === '' ? [] : [quick]),
    ...(takeaways.length > 0 ? ['## Key takeaways', takeaways.join('\n')] : []),
    ...(items.length > 0 ? ['## Action items', items.join('\n')] : []),
    ...(turns.length > 0 ? ['## Transcript', ...turns] : []),
  ];
}

function bullet(takeaway: string): string {
  const lines = cleanLines(takeaway).filter(Boolean).map(escapeMarkdownLine);
  return lines.length === 0 ? '' : `- ${lines.join('\n  ')}`;
}

function turn(line: string): string {
  const who = speakerOf(line);
  if (who === undefined) return escapeMarkdownLine(line);
  return `**${escapeInline(who)}:**${escapeInline(line.slice(who.length + 1))}`;
}

const HEADING = /^(?<marks>#{1,6})\s+(?<words>\S.*)$/;
const BULLET = /^(?<space> *)[-*+]\s+(?<words>\S.*)$/;

/** Bold text that begins and ends with a letter or a digit, because CommonMark reads that as bold everywhere. */
const BOLD = /(?<!\*)\*\*([\p{L}\p{N}](?:[^*\\\n]*[\p{L}\p{N}])?)\*\*(?!\*)/u;

/** How many levels a heading is lowered, so that it is below the note's own title and headings. */
const LOWERED = 2;

/** Converts a summary. Markup that it does not keep is escaped, as in transcripts. */
function summaryToMarkdown(summary: string): string {
  const indents: number[] = [];
  return rawLines(summary)
    .map((line) => {
      const { space = '', words } = BULLET.exec(line)?.groups ?? {};
      if (words !== undefined) return `${indentOf(space.length, indents)}- ${lineOf(words)}`;
      const text = line.trim();
      if (text !== '') indents.length = 0;
      const heading = HEADING.exec(text)?.groups;
      if (heading === undefined) return lineOf(text);
      const level = Math.min(6, (heading['marks'] ?? '').length + LOWERED);
      return `${'#'.repeat(level)} ${inlineOf(heading['words'] ?? '')}`;
    })
    .join('\n')
    .trim();
}

/** The lines of a text without control characters, with the spaces before them. */
function rawLines(text: string): string[] {
  const spaces = text.replaceAll('\t', '    ').split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
  return cleanLines(text).map((line, i) => (/^ */.exec(spaces[i] ?? '')?.[0] ?? '') + line);
}

/** Nests a bullet below the bullets before it that are less indented, as CommonMark reads it. */
function indentOf(width: number, indents: number[]): string {
  while ((indents.at(-1) ?? -1) >= width) indents.pop();
  indents.push(width);
  return '  '.repeat(indents.length - 1);
}

function lineOf(line: string): string {
  return escapeBlock(line, inlineOf(line));
}

function inlineOf(text: string): string {
  return text
    .split(BOLD)
    .map((part, i) => (i % 2 === 1 ? `**${escapeInline(part)}**` : escapeInline(part)))
    .join('');
}
