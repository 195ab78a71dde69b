// The manual as one text, and its blocks of code, each as a program of its own.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { readPages } from '../../../scripts/docs/pages.ts';
import { freePort } from '../world/free-port.ts';
import { ROOT, startProcess } from '../world/program.ts';

export const pages = readPages();

/** Paths of the README, the pages of docs/ and the other Markdown pages. */
export const manual = pages.map(({ text }) => text).join('\n');

/** The code blocks, those of the README first. */
export const blocks = pages.flatMap((page) => page.blocks);

/** Returns the text of a page. */
export function textOf(path: string): string {
  const found = pages.find((page) => page.path === path);
  if (found === undefined) throw new Error(`The manual has no page ${path}`);
  return found.text;
}

/** Returns the first block that contains a text, in the given language or in any. */
export function blockWith(text: string, language?: string): string {
  const found = blocks.find(
    (block) => block.code.includes(text) && (language ?? block.language) === block.language,
  );
  if (found === undefined) throw new Error(`The manual has no block with ${text}`);
  return found.code;
}

/**
 * Writes a block to a file in a folder from which its imports resolve. `replace` adapts it to the
 * test.
 */
export function writeBlock(
  t: TestContext,
  block: string,
  replace: Readonly<Record<string, string>>,
): string {
  const folder = mkdtempSync(join(ROOT, 'test/.example-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'example.ts');
  const sources = {
    "'memory-gateway'": "'../../src/index.ts'",
    "'memory-gateway/client'": "'../../src/client/index.ts'",
  };
  let code = block;
  for (const [from, to] of Object.entries({ ...sources, ...replace }))
    code = code.replaceAll(from, () => to);
  writeFileSync(file, code);
  return file.slice(ROOT.length);
}

/** Runs a block that serves on port 3000 on a free port instead, until the test ends. */
export async function serveBlock(
  t: TestContext,
  block: string,
  { replace = {}, env = {} }: { replace?: Record<string, string>; env?: Record<string, string> },
) {
  const port = await freePort();
  const script = writeBlock(t, block, { ...replace, '3000': String(port) });
  const child = startProcess([], { script, env });
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  while (child.exitCode === null) {
    const alive = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (alive) return { port, child };
    await sleep(50);
  }
  throw new Error(`ended with ${child.exitCode} after: ${said}`);
}
