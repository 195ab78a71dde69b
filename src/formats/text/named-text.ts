// Transcripts without times: a name before each turn, as programs and people write them.

import { isSpeakerLabel } from '../../text/speaker.ts';
import { isSpeakerName, splitSpeaker } from '../captions/speaker-names.ts';
import type { WholeTextFormat } from '../format.ts';
import { linesOf } from '../turns/lines.ts';
import { readTranscript, type LineMeaning } from './lines/dialect.ts';
import { readHeading } from './lines/heading.ts';
import { filledLines, plainText } from './lines/plain-lines.ts';
import { readTimed } from './lines/timed-line.ts';

/** Words before a colon that name no speaker. */
const NO_NAME =
  /^(?:q|a|question|answer|notes?|todo|tip|warning|important|example|date|time|name|title|subject|from|to|cc|phone|email|address|status|type|id|url|version)$/i;

/** How many lines can stand above the first turn. */
const MAX_TOP = 8;

/** Transcripts of which each turn begins with a name: `Anna: Hello.` */
export const namedText: WholeTextFormat = {
  name: 'named-text',
  product: 'text with names and without times: "Name: words"',
  inDocuments: true,
  matches: (head) => isConversation(filledLines(joinNames(plainText(head)))),
  read: (text, about) => {
    const plain = joinNames(plainText(text));
    const names = namesIn(linesOf(plain));
    const readLine = (line: string): LineMeaning | undefined => {
      const turn = splitTurn(line);
      const timed = turn ? undefined : readTimed(line);
      // Google Meet has the time on a line of its own, every few minutes.
      if (timed?.shape === 'time') return { is: 'time', seconds: timed.seconds };
      return turn && names.has(turn.speaker) ? { is: 'turn', ...turn } : undefined;
    };
    return readTranscript({ readLine, readHead: readHeading }, plain, about);
  },
};

/** Returns the first name if most lines of a beginning look like turns, whether or not it is a conversation. */
export function firstOfTurns(head: string): string | undefined {
  const lines = filledLines(joinNames(plainText(head)));
  const turns = lines.flatMap((line) => splitTurn(line) ?? []);
  return turns.length >= 2 && turns.length * 2 >= lines.length ? turns[0]?.speaker : undefined;
}

/** A name that is alone on its line, above another line. */
const ALONE = /^([^\s:][^:\n\r]{0,79}:)[^\S\n\r]{0,8}[\n\r]{1,4}(?=\S)/gm;

/**
 * Puts names that are alone on their lines before the words below them, unless these are the next name that is alone. If
 * more names stand before their words, such a name may have none: what is below it can be the next turn.
 */
function joinNames(text: string): string {
  const counts = new Map<string, number>();
  for (const [name] of text.matchAll(ALONE)) add(counts, name.trim());
  const alone = counts.values().reduce((sum, count) => sum + count, 0);
  if (alone === 0) return text;
  if (linesOf(text).filter((line) => splitTurn(line)?.text).length > alone) return text;
  const isName = (line: string) =>
    line.endsWith(':') && ((counts.get(line) ?? 0) >= 2 || isSpeakerLabel(line.slice(0, -1)));
  return text.replaceAll(ALONE, (whole, name: string, at: number) => {
    const [next = ''] = /.{1,90}/.exec(text.slice(at + whole.length, at + whole.length + 90)) ?? [];
    return isName(next.trim()) ? whole : `${name} `;
  });
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Whether lines are a conversation: it begins soon, names come back, and what they say are sentences. */
function isConversation(lines: readonly string[]): boolean {
  const names = namesIn(lines);
  const turns = lines.map(splitTurn);
  const first = turns.findIndex((turn) => turn && names.has(turn.speaker));
  const spoken = turns.flatMap((turn) => (turn && names.has(turn.speaker) ? [turn] : []));
  const speakers = new Set(spoken.map(({ speaker }) => speaker));
  const others = turns.filter((turn) => turn && !names.has(turn.speaker));
  const sentences = spoken.filter(({ text }) => /[.?!…。？！]["'”’»)]?$/u.test(text.trim()));
  const areLabels = [...speakers].every((name) => isSpeakerLabel(name));
  return (
    first !== -1 &&
    first < MAX_TOP &&
    spoken.length >= (areLabels ? 2 : 3) &&
    (areLabels || speakers.size >= 2) &&
    others.length <= spoken.length / 4 &&
    sentences.length * 2 >= spoken.length
  );
}

/** Returns the names that stand before several turns, or that are labels or whole names. */
function namesIn(lines: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  let filled = 0; // from the first turn on
  for (const line of lines) {
    const speaker = splitTurn(line)?.speaker;
    if (line.trim() !== '' && (speaker !== undefined || filled > 0)) filled++;
    if (speaker !== undefined) add(counts, speaker);
  }
  const isRepeated = [...counts.values()].some((count) => count >= 2);
  // If each line is a turn, whoever stands before a colon has said it.
  const turns = counts.values().reduce((sum, count) => sum + count, 0);
  const areTurns = turns >= filled * 0.9;
  const known = [...counts].filter(
    ([name, count]) =>
      count >= 2 || isSpeakerLabel(name) || (isRepeated && (areTurns || /\S\s\S/.test(name))),
  );
  return new Set(known.map(([name]) => name));
}

/** Splits `Anna: Hello.`, also with a bold name, and as an item of a list. */
function splitTurn(line: string) {
  const text = line
    .trim()
    .replace(/^[-*] (?=\*\*|__)/, '')
    .replace(/^(\*\*|__)(.{1,80}?)\1/u, '$2')
    .replace(/^(\S.{0,79}?)\s*:(?:\*\*|__)/u, '$1:');
  const turn = splitSpeaker(text);
  if (turn === undefined || NO_NAME.test(turn.speaker) || !isSpeakerName(turn.speaker))
    return undefined;
  return turn;
}
