// The Bee sync format: a Markdown file for each conversation, as the command "bee sync" writes it.

import * as v from 'valibot';

import type { TextFormat } from '../format.ts';
import { issueText } from '../issue-text.ts';
import { linesOf } from '../turns/lines.ts';
import { bee } from './bee.ts';

const TITLE = /^# Conversation (?<id>\d{1,20})\s*$/;
const FIELD = /^- (?<name>start_time|end_time|state): (?<value>.*)$/;
const REALTIME = /^- realtime: (?<value>true|false)\s*$/;
const SPOKEN = /^- (?<speaker>[^:]{1,200}): (?<text>[^]*)$/;

/** `conversations/2026-11-18/4720.md` */
const FILE_NAME = /(?:^|\/)\d{4}-\d\d-\d\d\/\d{1,20}\.md$/;

/** The sections in their order. A summary can have headings of its own, even one of these. */
const SECTIONS = [
  '## Short Summary',
  '## Summary',
  '## Primary Location',
  '## Suggested Links',
  '## Transcriptions',
];
const [SHORT, SUMMARY, TRANSCRIPTIONS] = [0, 1, 4];

/** What Bee writes for a missing value. */
const NONE: ReadonlySet<string> = new Set(['n/a', '(empty)']);

/** Bee's Markdown. A conversation has the same id and the same words as from the API. */
export const beeSync: TextFormat = {
  name: 'bee-sync',
  product: 'Bee conversations in Markdown, from "bee sync"',
  matches: (head, name) => isConversation(head) || FILE_NAME.test(name),
  read: (text) => {
    if (!isConversation(text)) return { skipped: 'notes of no conversation' };
    const { issues, output } = v.safeParse(bee.item, toConversation(text), { abortEarly: true });
    if (issues) return { reason: issueText(issues[0]) };
    return 'transcript' in output && output.id !== undefined ? output : { reason: 'it is empty' };
  },
};

function isConversation(text: string): boolean {
  const [first = '', , field = ''] = linesOf(text.slice(0, 200));
  return TITLE.test(first) && field.startsWith('- start_time: ');
}

/** Returns whether a file has a name that Bee gives to a conversation. */
export function isBeeSyncFile(name: string): boolean {
  return FILE_NAME.test(name);
}

/** Converts the Markdown to what the API returns. */
function toConversation(text: string) {
  const [title = '', ...lines] = linesOf(text);
  const fields: Record<string, string> = {};
  const sections: string[][] = SECTIONS.map(() => []);
  const spoken: string[] = [];
  let section = -1;
  for (const line of lines) {
    const next = SECTIONS.indexOf(line.trimEnd(), section + 1);
    if (next !== -1) section = next;
    else if (section === TRANSCRIPTIONS) spoken.push(line);
    else if (section >= 0) sections[section]?.push(line);
    else {
      const { name, value = '' } = FIELD.exec(line)?.groups ?? {};
      if (name !== undefined) fields[name] = value.trim();
    }
  }
  return {
    id: TITLE.exec(title)?.groups?.['id'],
    start_time: present(fields['start_time']),
    end_time: present(fields['end_time']),
    state: present(fields['state']),
    short_summary: present(sections[SHORT]?.join('\n')),
    summary: present(sections[SUMMARY]?.join('\n')),
    transcriptions: readTranscriptions(spoken),
  };
}

function present(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === undefined || text === '' || NONE.has(text) ? undefined : text;
}

interface Utterance {
  readonly speaker: string;
  text: string;
}

function readTranscriptions(lines: readonly string[]) {
  const found: { realtime: boolean; readonly utterances: Utterance[] }[] = [];
  for (const line of lines) {
    if (/^### Transcription \S+\s*$/.test(line)) {
      found.push({ realtime: false, utterances: [] });
      continue;
    }
    const last = found.at(-1);
    const realtime = REALTIME.exec(line)?.groups?.['value'];
    const { speaker, text = '' } = SPOKEN.exec(line)?.groups ?? {};
    const before = last?.utterances.at(-1);
    if (!last || line.trim() === '') continue;
    else if (realtime !== undefined && !before) last.realtime = realtime === 'true';
    else if (speaker !== undefined)
      last.utterances.push({ speaker: speaker === 'unknown' ? '' : speaker, text });
    else if (before) before.text += ` ${line}`;
  }
  return found;
}
