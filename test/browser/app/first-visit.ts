// The first visit of a new gateway: a program without an account, and the link that it prints.

import type { TestContext } from 'node:test';

import { issued, newFolder } from '../../support/world/artifacts.ts';
import { freePort } from '../../support/world/free-port.ts';
import { startProcess, stop, waitFor } from '../../support/world/program.ts';
import { openReader, type Reader } from './page.ts';

/** Starts the program in a folder, a new one by default, and returns its link for the first visit. */
export async function startProgram(
  t: { readonly after: (stop: () => Promise<unknown>) => void },
  folder = newFolder(),
): Promise<string> {
  const args = ['start', folder, '--no-open', '--port', String(await freePort())];
  const program = startProcess(args); // a process, because it starts the importer
  t.after(() => stop(program));
  const said = await waitFor(program, 'stdout', /Ctrl\+C/);
  const [, link = ''] = /^ {2}(http:\S+)$/m.exec(said) ?? [];
  issued(new URL(link).hash.slice(1));
  return link;
}

/** Opens a new profile, and names the account of a link "Mira". The page shows what can come next. */
export async function claim(
  t: TestContext,
  link: string,
  options?: Parameters<typeof openReader>[1],
): Promise<Reader> {
  const reader = await openReader(t, options);
  const { page, context } = reader;
  await page.goto(link);
  await page.getByLabel('Your name').fill('Mira');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('link', { name: 'See sample memories' }).waitFor();
  for (const { value } of await context.cookies()) issued(value);
  return reader;
}
