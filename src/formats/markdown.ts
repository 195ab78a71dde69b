// Markdown: a memory as a note with front matter, for Obsidian and whatever else reads Markdown.

import type { Memory } from '../contract/memory.ts';
import { escapeInline, escapeLine, linesOf } from './escape.ts';
import { fileName } from './filename.ts';

/** A note: its file below the folder of all, with `/` between, and its text. */
export interface Note {
  readonly name: string;
  readonly text: string;
}

/** A turn of a transcript: who speaks, a colon, a space. What looks like one is set alike. */
const TURN = /^(?<who>[\p{L}\p{N}][^:!?;]{0,59}):(?= |$)(?<what>.*)$/u;

/** An id is cut to so many characters where it stands in a name. */
const SHOWN_ID = 60;

/**
 * Turns a memory into a note: `2026/2026-11-18 Voice memo.md`, by its day in UTC. Where `isTaken` says
 * that there is one of this name, its id follows, and then a number.
 */
export function toMarkdown(memory: Memory, isTaken: (name: string) => boolean): Note {
  const parts = [frontMatter(memory), ...body(memory)];
  return { name: nameOf(memory, isTaken), text: `${parts.join('\n\n')}\n` };
}

function nameOf({ id, name: title, started_at }: Memory, isTaken: (name: string) => boolean) {
  const day = started_at.slice(0, 10);
  const nameWith = (more: string) =>
    `${day.slice(0, 4)}/${fileName({ before: `${day} `, title, after: `${more}.md` })}`;
  const withId = ` ${id.slice(0, SHOWN_ID)}`;
  let name = nameWith('');
  for (let n = 1; isTaken(name); n++) name = nameWith(n === 1 ? withId : `${withId} ${n}`);
  return name;
}

function frontMatter(memory: Memory): string {
  const { id, name, started_at, ended_at, duration_seconds, is_processing } = memory;
  const fields = { id, name, started_at, ended_at, duration_seconds, is_processing };
  return [
    '---',
    ...Object.entries(fields).map(([key, value]) => `${key}: ${toYaml(value)}`),
    `date: ${started_at.slice(0, 10)}`, // unquoted it is a date to Obsidian
    'tags: [memory]',
    '---',
  ].join('\n');
}

/** JSON is YAML, but for what some of its readers do not take in a text as it is. */
function toYaml(value: string | number | boolean): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function body({ name, summary, transcript }: Memory): string[] {
  const title = linesOf(name).filter(Boolean).join(' ');
  const takeaways = summary.key_takeaways.map(bullet).filter(Boolean);
  const turns = linesOf(transcript).filter(Boolean).map(turn);
  return [
    `# ${escapeInline(title) || 'Untitled'}`,
    ...paragraphs(summary.quick_summary),
    ...(takeaways.length > 0 ? ['## Key takeaways', takeaways.join('\n')] : []),
    ...(turns.length > 0 ? ['## Transcript', ...turns] : []),
  ];
}

/** Keeps the lines of a text, and the empty ones between its paragraphs. */
function paragraphs(text: string): string[] {
  const lines = linesOf(text).map(escapeLine).join('\n').trim();
  return lines === '' ? [] : [lines];
}

function bullet(takeaway: string): string {
  const lines = linesOf(takeaway).filter(Boolean).map(escapeLine);
  return lines.length === 0 ? '' : `- ${lines.join('\n  ')}`;
}

function turn(line: string): string {
  const { who, what } = TURN.exec(line)?.groups ?? {};
  if (who === undefined || what === undefined) return escapeLine(line);
  return `**${escapeInline(who)}:**${escapeInline(what)}`;
}
