// The import of this tab: it goes on while other screens are shown.

import { signal } from '@preact/signals';
import type { InferOutput } from 'valibot';

import { Failure } from '../../../../contract/failure.ts';
import type { ImportRecord } from '../../../contract/import-records.ts';
import { SAMPLE_FILE } from '../../../samples.ts';
import { changeOwn } from '../../state/changes/change-list.ts';
import { restore } from '../../state/changes/deletions.ts';
import { forgetList } from '../../state/list/list.ts';
import { zone } from '../../state/reading.ts';
import { place } from '../../state/router.ts';
import { app, loadFile, loadMe, toFailure } from '../../state/session.ts';
import { recall, remember } from '../../state/storage.ts';
import { upload, type ChosenFile } from './upload.ts';

type ImportState = InferOutput<typeof ImportRecord>;

/** Files that somebody has chosen or dropped. A dropped folder is still being read. */
export type Chosen = readonly ChosenFile[] | Promise<readonly ChosenFile[]>;

/** The import. Undefined: none has begun. */
export const current = signal<ImportState>();

/** How much of the files is uploaded, from 0 to 1. */
export const uploaded = signal(0);

/** Why it does not go on. */
export const importFailure = signal<Failure>();

const LOOK_EVERY_MS = 500;

/** The name under which this browser remembers the id of its import until its end was shown. */
const OWN = 'import';

let leaving = new AbortController();

/** Uploads files and checks them, unless an import is under way. Of folders that are still being read, the latest counts. */
export async function bringIn(chosen: Chosen): Promise<void> {
  if (current.value?.state.endsWith('ing') === true) return;
  forgetImport(); // the page of an earlier one must not bring it back
  leaving.abort();
  leaving = new AbortController();
  const { signal: left } = leaving;
  await trying(async () => {
    const files = await chosen;
    if (files.length === 0) throw new Failure(0, NO_FILES);
    const total = files.reduce((sum, { file }) => sum + file.size, 0);
    uploaded.value = 0;
    const begun = await app.imports.create();
    const { id } = begun;
    if (left.aborted) {
      await app.imports.remove({ id });
      return;
    }
    remember(OWN, id);
    current.value = begun;
    const onSent = (bytes: number) => {
      uploaded.value = bytes / (total || 1);
    };
    await upload(id, files, { signal: left, onSent });
    await follow(await app.imports.check({ id, timezone: zone.value }), left);
  }, left);
}

/** Shows the import that this browser began before the page was reloaded, unless its end was shown then. */
export async function resumeImport(): Promise<void> {
  const id = recall(OWN) ?? '';
  if (id === '' || current.value !== undefined) return;
  leaving = new AbortController();
  const { signal: left } = leaving;
  await trying(async () => {
    const found = await app.imports.get({ id }).catch(() => undefined);
    // What is still uploaded belongs to another tab, or to a page that is gone.
    if (found?.state === 'importing') await changeOwn(() => follow(found, left));
    else if (found !== undefined && found.state !== 'uploading') await follow(found, left);
  }, left);
}

/** The import whose end was shown, and whose screen was left then. */
let seen: string | undefined;

/** Forgets the import, because its end is on the screen or it was left: no tab need tell it when it is loaded. */
export function forgetImport(): void {
  remember(OWN, '');
}

/** Notes that the screen is left. Back shows the same end again, and a new visit begins anew. */
export function noteLeft({ id }: ImportState): void {
  seen = id;
}

/** Takes the end of an import away if it was shown at an earlier visit. */
export function clearShown(): void {
  if (seen !== undefined && seen === current.value?.id && !place.value.kept) void leaveImport();
}

/** Imports the sample memories of the app. What they are is known, so nothing but a failure is told. */
export async function bringSamples(): Promise<void> {
  await trying(async () => {
    const text = await (await loadFile(SAMPLE_FILE)).text();
    await bringIn([{ file: new File([text], SAMPLE_FILE), name: SAMPLE_FILE }]);
    const { state: checked, report } = current.value ?? {};
    // Those that were removed before come back.
    if (report?.in_bin[0]) await restore(report.in_bin.map(({ id }) => id));
    if (checked === 'checked') await runImport();
    const { state, problem = null } = current.value ?? {};
    if (state !== 'done' && problem !== null) throw new Failure(0, problem);
    await Promise.all([leaveImport(), loadMe()]);
  }, new AbortController().signal);
}

/** Imports what was checked. */
export async function runImport(): Promise<void> {
  const { id = '' } = current.value ?? {};
  const { signal: left } = leaving;
  await trying(async () => {
    await changeOwn(async () => follow(await app.imports.run({ id, timezone: zone.value }), left));
    forgetList();
  }, left);
}

/** Cancels the import, or stops it. What was imported stays. */
export async function leaveImport(): Promise<void> {
  const { id, state } = current.value ?? {};
  leaving.abort();
  if (state !== 'importing') current.value = undefined;
  importFailure.value = undefined;
  if (id === undefined) return;
  forgetImport();
  try {
    const remove = () => app.imports.remove({ id });
    await (state === 'importing' ? changeOwn(remove) : remove());
    if (state === 'importing') current.value = await app.imports.get({ id });
  } catch {
    // The gateway removes it after a day.
  }
}

/** Shows the state of an import until the importer has ended, or the import was left. */
async function follow(begun: ImportState, left: AbortSignal): Promise<void> {
  let now = begun;
  // Who leaves while a response is on its way has left before it.
  while (!left.aborted) {
    current.value = now;
    if (!now.state.endsWith('ing')) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    if (!left.aborted) now = await look(now);
  }
}

/** Asks for the state again. Without a connection it is the one before, and the bar says so. */
async function look(now: ImportState): Promise<ImportState> {
  try {
    return await app.imports.get({ id: now.id });
  } catch (error) {
    if (toFailure(error).status !== 0) throw error;
    return now;
  }
}

/** A folder may have none. */
const NO_FILES = 'There are no files in it. Choose others.';

/** A file that was moved, changed or unplugged meanwhile, or that the browser may not read. */
const UNREADABLE = 'A file cannot be read. Choose the files again.';

async function trying(work: () => Promise<void>, left: AbortSignal): Promise<void> {
  importFailure.value = undefined;
  try {
    await work();
  } catch (error) {
    if (left.aborted) return;
    const { state } = current.value ?? {};
    if (state === 'uploading') await leaveImport();
    else if (state !== 'checked') current.value = undefined;
    importFailure.value =
      error instanceof DOMException ? new Failure(0, UNREADABLE) : toFailure(error);
  }
}
