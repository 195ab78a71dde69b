// Assembles items from the tokens of a JSON stream, without holding a whole array or page.

import type { Token } from 'stream-json/core/parser.js';

import type { ItemFormat } from '../format.ts';
import { isPage, pagePaths } from './unwrap.ts';

/** An object or an array whose end has not been read yet. */
interface Frame {
  readonly value: Record<string, unknown> | unknown[];
  /** The property name of its next value. */
  key: string;
  /** The property path from the start of its item. `undefined` inside a list of the item. */
  readonly path: string | undefined;
  /** Whether its values are emitted as items: always, never, or as soon as one matches a format. */
  emits: 'always' | 'never' | 'perhaps';
  /** Whether a list inside it has emitted items. Then it is their envelope, not an item. */
  isEnvelope: boolean;
}

/**
 * Creates a function that takes a token and returns the items that are now complete. Arrays and pages
 * are emitted item by item and never held whole. Other values are emitted whole.
 */
export function createAssembler(
  formats: readonly ItemFormat[],
): (token: Token) => readonly unknown[] {
  const paths = new Set(pagePaths(formats));
  const stack: Frame[] = [];

  return (token) => {
    const { name } = token;
    if (name === 'startObject') return begin({});
    if (name === 'startArray') return begin([]);
    if (name === 'endObject' || name === 'endArray') return end();
    if (name === 'keyValue') return setKey(token.value);
    if (name === 'numberValue') return put(Number(token.value));
    if (name === 'stringValue' || name === 'nullValue') return put(token.value);
    if (name === 'trueValue' || name === 'falseValue') return put(name === 'trueValue');
    return NOTHING;
  };

  function setKey(key: string): readonly unknown[] {
    (stack.at(-1) as Frame).key = key;
    return NOTHING;
  }

  function begin(value: Frame['value']): readonly unknown[] {
    const above = stack.at(-1);
    const path = pathBelow(above);
    const isList = Array.isArray(value);
    const perhaps = isList && path !== undefined && paths.has(path);
    const emits = isList && above === undefined ? 'always' : perhaps ? 'perhaps' : 'never';
    stack.push({ value, key: '', path, emits, isEnvelope: false });
    return NOTHING;
  }

  function end(): readonly unknown[] {
    const { value, isEnvelope, emits } = stack.pop() as Frame;
    return isEnvelope || emits === 'always' ? NOTHING : put(value);
  }

  function put(value: unknown): readonly unknown[] {
    const frame = stack.at(-1);
    if (frame === undefined || frame.emits === 'always') return [value];
    if (!Array.isArray(frame.value)) {
      // An assignment to __proto__ would not create a property.
      const property = { value, configurable: true, enumerable: true, writable: true };
      Object.defineProperty(frame.value, frame.key, property);
      return NOTHING;
    }
    frame.value.push(value);
    const isOpened = frame.emits === 'perhaps' && isPage(frame.path ?? '', value, formats);
    return isOpened ? open(frame, frame.value) : NOTHING;
  }

  /** Makes a list emit its items, beginning with those it already holds. */
  function open(frame: Frame, items: unknown[]): readonly unknown[] {
    frame.emits = 'always';
    for (let i = stack.length - 2; i >= 0; i--) {
      const above = stack[i] as Frame;
      if (above.emits === 'always') break;
      above.isEnvelope = true;
    }
    return items.splice(0);
  }
}

const NOTHING: readonly unknown[] = [];

/** The path of a value that begins inside a frame. */
function pathBelow(above: Frame | undefined): string | undefined {
  if (above === undefined || above.emits === 'always') return '';
  if (above.path === undefined || Array.isArray(above.value)) return undefined;
  return above.path === '' ? above.key : `${above.path}.${above.key}`;
}
