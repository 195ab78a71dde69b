// Titles: the name of a memory as people read it.

/** A name without anything visible: spaces, controls, marks on nothing. */
const INVISIBLE = /^[\p{C}\p{Z}\p{M}\u3164\uffa0\u115f\u1160]*$/u;

/** Returns the title of a memory: its name, or a text that says that it has none. */
export function titleOf(name: string): string {
  return INVISIBLE.test(name) ? 'Untitled' : name;
}
