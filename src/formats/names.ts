// Names: tells who speaks from what is said, where a text has both in one line.

/** A line that begins with a name, taken apart. */
export interface Named {
  readonly speaker: string;
  readonly text: string;
}

const MOST_WORDS = 5;
const LONGEST = 80;
// A colon that ends a name has a space behind it: no address, no time of day.
const PREFIX = /^(?<prefix>[^:：]{1,80}?)\s?(?::(?=\s|$)|：)\s*(?<text>[^]*)$/;
const BRACKETS = /^\[([^[\]]+)\]$/;
const ASIDE = /\s*\([^()]*\)$/; // pronouns, a company, "(guest)"
const PARTICLE =
  /^(?:[-–|/&+•]|af|al|and|bin|da|de|del|della|den|der|di|do|dos|du|e|el|ibn|la|le|of|och|the|und|van|von|y|zu|zum|zur)$/;
const WORD = /^(?:[\p{L}\p{M}\p{N}'’_@+-]|\.(?=[\p{L}\p{N}]))+,?$|^(?:\p{L}{1,4}\.)+,?$/u;
const MARK = /[\p{Lu}\p{Lt}\p{Lo}\p{N}@]/u;

/** Takes the name off a line, `Name: text`; undefined where what is before the colon is none. */
export function nameOf(line: string): Named | undefined {
  const { prefix = '', text = '' } = PREFIX.exec(line)?.groups ?? {};
  const speaker = (BRACKETS.exec(prefix)?.[1] ?? prefix).trim();
  return isName(speaker) ? { speaker, text } : undefined;
}

/**
 * Tells a name from the beginning of a sentence by how it is written: few words, each with a capital,
 * a digit or of a script that has no capitals, and nothing that parts sentences.
 */
export function isName(text: string): boolean {
  if (text.length > LONGEST) return false; // a line may be a whole file
  const words = text.replace(ASIDE, '').split(/\s+/);
  return words.length <= MOST_WORDS && words.every(isWord) && /\p{L}/u.test(text);
}

function isWord(word: string): boolean {
  return PARTICLE.test(word) || (WORD.test(word) && MARK.test(word));
}
