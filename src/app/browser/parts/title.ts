// Titles, names and summaries as people read them: bounded, without an effect on the text after them, and without marks of Markdown.

import { OWNER } from '../../../text/speaker.ts';
import { shortened } from '../../../text/surrogates.ts';

/** A name without anything visible: spaces, controls, marks on nothing. */
const INVISIBLE = /^[\p{C}\p{Z}\p{M}\u3164\uffa0\u115f\u1160]*$/u;

/** How much of a name is shown. Names of files have 255 bytes at most. */
const MOST = 300;

/** Returns the title of a memory: its name, or a text that says that it has none. */
export function titleOf(name: string): string {
  return INVISIBLE.test(name) ? 'Untitled' : isolated(name);
}

/** What the owner is called here. */
export const YOU = 'You';

/** Returns the name of a person as it is shown: the owner, whom a product has not named, is told so. */
export function personOf(name: string): string {
  return name === OWNER ? YOU : isolated(name);
}

/** Returns the name of a person from what somebody has typed or chosen as it is shown. */
export function nameOf(shown: string): string {
  const name = shown.trim();
  return name === YOU ? OWNER : name;
}

/** Returns a summary that a product wrote in Markdown as plain text. Signs within words, such as in 2*3*4, stay. */
export function plainText(text: string): string {
  // Each part is bounded, so that no text of marks alone takes long.
  return text
    .replaceAll(/^ *#+ +/gm, '')
    .replaceAll(/^( *)[-*+] +(?:\[[ x]\] +)?/gim, '$1• ')
    .replaceAll(/\[([^[\]\n]{1,300})\]\(https?:[^\s()]{1,2000}\)/g, '$1')
    .replaceAll(/(?<![\w*])(\*{1,3}|`)(?=\S)(.{1,300}?)(?<=\S)\1(?![\w*])/g, '$2');
}

/**
 * Returns a name as it is shown: cut if it is long, and, if it has controls of direction, as a text of its own. An
 * isolate that a name leaves open would take the end of a `<bdi>` for its own (Unicode TR 9, BD9) and turn the text
 * after it, so it is closed within the name.
 */
export function isolated(name: string): string {
  const shown = shortened(name, MOST);
  if (!/[\u202a-\u202e\u2066-\u2069]/.test(shown)) return shown;
  let open = 0;
  const closed = shown.replaceAll(/[\u2066-\u2069]/g, (control) => {
    if (control !== '\u2069') open++;
    else if (open === 0) return '';
    else open--;
    return control;
  });
  return `\u2068${closed}${'\u2069'.repeat(open + 1)}`;
}
