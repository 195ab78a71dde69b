// What a key press means: the names of keys, pairs of keys, and the keys that fields and buttons need themselves.

/** A key, or two after each other, and what it does. */
export interface Shortcut {
  /**
   * Names as `KeyboardEvent.key` has them, such as `j`, `ArrowDown` and `?`. Two after each other
   * have a space between them: `g l`. `mod+k` is Ctrl+K, or ⌘K on Apple's systems.
   */
  readonly keys: readonly string[];
  /** What it does, for the list of keys. */
  readonly text: string;
  readonly run: () => void;
  /** Whether it also works while somebody types in a field. */
  readonly inFields?: boolean;
  /** Whether it is only listed now, because it needs the focus elsewhere. */
  readonly isIdle?: boolean;
}

/** What counts of a `KeyboardEvent`. */
export interface Press {
  readonly key: string;
  /** The place on the keyboard, such as `KeyJ`. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly isComposing: boolean;
  readonly getModifierState: (name: string) => boolean;
}

/** What has the focus, and so comes before shortcuts: a text, a choice such as a radio button, or something to press. */
export type Focus = 'text' | 'choice' | 'press' | 'other';

const SILENT = /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead|Process|Unidentified)$/;

/** Returns the name of a key press, as `Shortcut.keys` has it. Returns undefined if it is none of ours. */
export function keyName(press: Press, isApple: boolean): string | undefined {
  const { code, ctrlKey, metaKey, altKey, shiftKey, isComposing } = press;
  if (isComposing || SILENT.test(press.key)) return undefined;
  // AltGr types characters such as `[`. Windows reports it as Ctrl and Alt.
  if (press.getModifierState('AltGraph')) return press.key;
  const [mod, other] = isApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (other || altKey) return undefined;
  // A Greek or Russian layout has no Latin letters, but the keys have the same places.
  const letter = /^[ -~]/.test(press.key) ? undefined : /^Key(.)$/.exec(code)?.[1];
  const key = letter ?? press.key;
  const hasCase = /^\p{L}$/u.test(key);
  // Shift is how `?` is typed. With any other key, Shift makes it another one.
  const shift = shiftKey && (mod || hasCase || key.length > 1) ? 'shift+' : '';
  return `${mod ? 'mod+' : ''}${shift}${hasCase ? key.toLowerCase() : key}`;
}

/** Whether a name is one printable character, or begins with one (WCAG 2.1.4). */
export function isLetter(name: string): boolean {
  return /^\S( |$)/.test(name);
}

/** What a search for a shortcut takes into account. */
export interface Situation {
  readonly focus: Focus;
  /** Whether keys of one letter do something. */
  readonly hasLetters: boolean;
  /** Whether the key is being held down. */
  readonly isRepeat: boolean;
}

/** Returns the shortcut with a name. Later ones win over earlier ones. */
export function findShortcut(
  all: readonly Shortcut[],
  name: string,
  { focus, hasLetters, isRepeat }: Situation,
): Shortcut | undefined {
  if (isLetter(name) && !hasLetters) return undefined;
  const found = all.findLast(
    ({ keys, inFields, isIdle }) =>
      keys.includes(name) && isIdle !== true && (inFields === true || !isTaken(name, focus)),
  );
  // A key that is held down moves on, and does nothing else again and again.
  return isRepeat && found?.keys.some((key) => key.startsWith('Arrow')) !== true
    ? undefined
    : found;
}

function isTaken(name: string, focus: Focus): boolean {
  if (focus === 'text') return true;
  if (focus === 'choice') return /^(Enter| |Home|End|(Arrow|Page)\w+)$/.test(name);
  return focus === 'press' && /^(Enter| )$/.test(name);
}

const SYMBOLS: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

/** Returns the keys to press one after the other, as keyboards have them. */
export function symbolsOf(name: string, isApple: boolean): string[] {
  return name
    .split(' ')
    .map(
      (key) =>
        SYMBOLS[key] ??
        key.replace(
          /^mod\+(.)/,
          (_, letter: string) => (isApple ? '⌘' : 'Ctrl+') + letter.toUpperCase(),
        ),
    );
}
