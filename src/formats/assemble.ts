// Assembles the items of a stream of JSON from its tokens: pages are opened, and let go of as they are read.

import type { Token } from 'stream-json/core/parser.js';

import type { ItemFormat } from './format.ts';
import { isPage, pathsOf } from './unwrap.ts';

/** An object or an array that has begun. */
interface Frame {
  readonly value: Record<string, unknown> | unknown[];
  /** The name under which its next value goes. */
  key: string;
  /** The names that lead to it from where its item began; undefined within a list of that. */
  readonly path: string | undefined;
  /** Whether what is in it goes out by itself: always, never, or once something in it fits a format. */
  gives: 'always' | 'never' | 'perhaps';
  /** Whether a list in it has given items: then it was their envelope. */
  isEnvelope: boolean;
}

/**
 * Makes a function that takes tokens and returns the items that are whole by then: those of arrays
 * and pages one by one, so that none of these is ever held whole, and any other value as it is.
 */
export function assembler(formats: readonly ItemFormat[]): (token: Token) => readonly unknown[] {
  const paths = new Set(pathsOf(formats));
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
    const gives = isList && above === undefined ? 'always' : perhaps ? 'perhaps' : 'never';
    stack.push({ value, key: '', path, gives, isEnvelope: false });
    return NOTHING;
  }

  function end(): readonly unknown[] {
    const { value, isEnvelope, gives } = stack.pop() as Frame;
    return isEnvelope || gives === 'always' ? NOTHING : put(value);
  }

  function put(value: unknown): readonly unknown[] {
    const frame = stack.at(-1);
    if (frame === undefined || frame.gives === 'always') return [value];
    if (!Array.isArray(frame.value)) {
      // An assignment to __proto__ would not make a property.
      const property = { value, configurable: true, enumerable: true, writable: true };
      Object.defineProperty(frame.value, frame.key, property);
      return NOTHING;
    }
    frame.value.push(value);
    const isOpened = frame.gives === 'perhaps' && isPage(frame.path ?? '', value, formats);
    return isOpened ? open(frame, frame.value) : NOTHING;
  }

  /** Has a list give its items, those it has so far first. */
  function open(frame: Frame, items: unknown[]): readonly unknown[] {
    frame.gives = 'always';
    for (let i = stack.length - 2; i >= 0; i--) {
      const above = stack[i] as Frame;
      if (above.gives === 'always') break;
      above.isEnvelope = true;
    }
    return items.splice(0);
  }
}

const NOTHING: readonly unknown[] = [];

/** The path of what begins in a frame. */
function pathBelow(above: Frame | undefined): string | undefined {
  if (above === undefined || above.gives === 'always') return '';
  if (above.path === undefined || Array.isArray(above.value)) return undefined;
  return above.path === '' ? above.key : `${above.path}.${above.key}`;
}
