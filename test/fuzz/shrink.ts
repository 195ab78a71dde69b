// Shrinks a failing script to the smallest one that still fails.

import type { Asked } from './request.ts';
import { partOf, type Part, type Script } from './script.ts';

/** Returns whether a script gets the same kind of wrong response. */
export type StillFails = (script: Script) => Promise<boolean>;

const MOST_TRIES = 400;

/**
 * Removes everything a script does not need to fail. Returns undefined if the script does not fail
 * again.
 */
export async function shrink(script: Script, fails: StillFails): Promise<Script | undefined> {
  if (!(await fails(script))) return undefined;
  let smallest = script;
  let tries = 0;
  const attempt = async (smaller: Script): Promise<boolean> => {
    if (tries++ >= MOST_TRIES || !(await fails(smaller))) return false;
    smallest = smaller;
    return true;
  };
  if (script.cuts.length > 0) await attempt({ ...smallest, cuts: [] });
  if (script.ending !== 'close') await attempt({ ...smallest, ending: 'close' });
  for (let i = smallest.parts.length - 1; i >= 0; i--)
    await attempt({ ...smallest, parts: smallest.parts.toSpliced(i, 1) });
  for (const i of smallest.parts.keys()) await shrinkPart(i);
  return smallest;

  async function shrinkPart(i: number): Promise<void> {
    const withPart = (part: Part): Script => ({ ...smallest, parts: smallest.parts.with(i, part) });
    const there = (): Part => smallest.parts[i] as Part;
    for (let isSmaller = true; isSmaller;) {
      isSmaller = false;
      for (const smaller of smallerParts(there()))
        if (await attempt(withPart(smaller))) {
          isSmaller = true;
          break;
        }
    }
  }
}

function* smallerParts({ plain, bytes }: Part): Generator<Part> {
  if (plain) yield* Array.from(smallerRequests(plain), partOf);
  else for (const smaller of shorter(bytes)) yield { bytes: smaller };
}

function* smallerRequests(asked: Asked): Generator<Asked> {
  for (let i = asked.headers.length - 1; i > 0; i--)
    yield { ...asked, headers: asked.headers.toSpliced(i, 1) };
  const [path = '', query = ''] = asked.target.split(/\?(.*)/s);
  const pieces = query.split('&');
  for (const i of pieces.keys()) {
    const left = pieces.toSpliced(i, 1).join('&');
    if (query !== '') yield { ...asked, target: left === '' ? path : `${path}?${left}` };
  }
  for (const target of shorter(asked.target.slice(1))) yield { ...asked, target: `/${target}` };
  for (const [i, [name, value]] of asked.headers.entries())
    for (const less of i === 0 ? [] : shorter(value))
      yield { ...asked, headers: asked.headers.with(i, [name, less]) };
}

/**
 * Yields the text without one of its parts, from halves down to sixteenths, and for a short text
 * without each character.
 */
function* shorter(text: string): Generator<string> {
  for (let size = Math.ceil(text.length / 2); size > 0; size = Math.floor(size / 2)) {
    if (size < text.length / 16 && text.length > 64) return;
    for (let at = 0; at < text.length; at += size) yield text.slice(0, at) + text.slice(at + size);
  }
}
