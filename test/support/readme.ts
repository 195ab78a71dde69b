// The README's code: its blocks, and each as a program of its own.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from './port.ts';
import { ROOT, start } from './program.ts';

export const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The blocks of code, in order. */
export const blocks = Array.from(readme.matchAll(/```\w+\n([^]*?)```/g), ([, code]) =>
  String(code),
);

/** The first block that holds a text. */
export function blockWith(text: string): string {
  const found = blocks.find((block) => block.includes(text));
  if (found === undefined) throw new Error(`The README has no block with ${text}`);
  return found;
}

/** Writes a block to a file where it finds the packages it imports; `replace` fits it to the test. */
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
  const child = start([], { script, env });
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
