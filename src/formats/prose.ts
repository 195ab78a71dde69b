// Prose: what Markdown of other products says, taken apart into paragraphs, headings and bullets.

// What follows the space begins with none, so that a line of nothing else is not tried at each of it.
const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S[^]*|)$/;
const HEADING = /^\s{0,3}(#{1,6})\s+(\S[^]*|)$/;

/** Finds the bullets of a Markdown text, in order, without their marks. */
export function bulletsOf(markdown: MaybeText): string[] {
  return linesOf(markdown).flatMap((line) => plain(BULLET.exec(line)?.[1]));
}

/** Finds the headings of one level (`2`: `## …`) in a Markdown text, in order. */
export function headingsOf(markdown: MaybeText, level: number): string[] {
  return linesOf(markdown).flatMap((line) => {
    const [, marks, text] = HEADING.exec(line) ?? [];
    return marks?.length === level ? plain(unclosed(text)) : [];
  });
}

/** Takes the lines of a list that is one text, bulleted or not, or the texts of one that is an array. */
export function listOf(list: string | readonly MaybeText[] | MaybeText): string[] {
  const lines = typeof list === 'string' ? linesOf(list) : (list ?? []);
  return lines.flatMap((line) => plain(BULLET.exec(line ?? '')?.[1] ?? line));
}

/** Takes the first text that says anything, without spaces at its ends; `''` where none does. */
export function firstOf(...texts: readonly MaybeText[]): string {
  for (const text of texts) if (text?.trim()) return text.trim();
  return '';
}

type MaybeText = string | null | undefined;

function linesOf(text: MaybeText): string[] {
  return text?.split(/\r\n|[\n\r]/) ?? [];
}

/** A heading may be closed as it was opened, `## Next ##`: by marks behind a space, unlike those of `C#`. */
function unclosed(heading = ''): string {
  const text = heading.trimEnd();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end === 0 || text[end - 1]?.trim() === '' ? text.slice(0, end) : text;
}

/** A text without the marks around and in it that only Markdown needs; none where nothing is left. */
function plain(text: MaybeText): string[] {
  const bare = text
    ?.replaceAll(/(\*\*|__)(.+?)\1/g, '$2')
    .replaceAll(/\[([^[\]]*)\]\((?:[^()\s]|\([^()]*\))*\)/g, '$1')
    .trim();
  return bare ? [bare] : [];
}
