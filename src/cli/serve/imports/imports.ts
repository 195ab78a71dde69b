// The imports of owners by the browser: an upload, a dry run, an import, and their reports.

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Imports, ImportState, OfImport } from '../../../app/server/imports.ts';
import { Failure } from '../../../contract/failure.ts';
import { engineOf } from '../../../store/engines.ts';
import {
  createTemporary,
  removeAbandoned,
  removeTemporary,
} from '../../../store/files/temporary.ts';
import type { Context } from '../../context.ts';
import { dataFolder } from '../../data-folder.ts';
import { startImporter, type RunningImporter } from './importer.ts';
import type { Upload } from './upload.ts';

/** What imports need. */
export interface ImportsOptions {
  readonly context: Pick<Context, 'env' | 'program'>;
  readonly database: string;
  /** The most bytes of an upload. */
  readonly maxBytes: number;
  /** Called with the account when an importer that may have written has ended. */
  readonly onWritten?: ((account_id: string) => void) | undefined;
}

/** Imports that can be closed. */
export interface OpenImports extends Imports {
  /** Stops all importers and removes all files. */
  readonly close: () => Promise<void>;
}

interface Entry extends OfImport {
  readonly upload: Upload;
  readonly began: number;
  importer?: RunningImporter | undefined;
  state: ImportState['state'];
  progress: number | null;
  problem: string | null;
  ended_at: string | null;
  report: ImportState['report'];
}

/** How many imports of an account are remembered, and for how long. */
const [MOST, DAY_MS] = [20, 86_400_000];

const NOT_FOUND = 'There is no import with this id, or it is older than a day; begin another one.';

/** What the folder of a server's uploads is named after. Another server may run beside it: on the same database, on another one of PostgreSQL, or on the port that this one is about to ask for. */
const SERVER = 'server';

/** Creates the imports of a server. What ended ones have left is removed. */
export async function createImports({
  context,
  database,
  maxBytes,
  onWritten,
}: ImportsOptions): Promise<OpenImports> {
  const uploads = await folderOf(database);
  if (existsSync(uploads)) removeAbandoned(uploads, (name) => name === SERVER, uploads);
  let folder: string | undefined;
  const entries = new Map<string, Entry>();
  /** The importers of an account run one after another: the end of the last one. */
  const turns = new Map<string, Promise<void>>();
  const find = ({ account_id, id }: OfImport): Entry => {
    const entry = entries.get(id);
    if (entry?.account_id !== account_id) throw new Failure(404, NOT_FOUND);
    return entry;
  };
  const drop = async (entry: Entry) => {
    entries.delete(entry.id);
    await entry.importer?.stop();
    await entry.upload.remove();
  };
  const tidy = async (account_id: string) => {
    const own = [...entries.values()].filter((entry) => entry.account_id === account_id);
    const old = own.filter(
      ({ began }, at) => at < own.length - MOST || Date.now() - began > DAY_MS,
    );
    for (const entry of old) await drop(entry);
  };
  const timer = setInterval(() => {
    for (const { account_id } of entries.values()) void tidy(account_id);
  }, DAY_MS / 24).unref();

  return {
    async begin(account_id) {
      await tidy(account_id);
      const id = randomBytes(16).toString('base64url');
      // It needs a module of Node that most runs of a server do not.
      const { createUpload } = await import('./upload.ts');
      mkdirSync(uploads, { recursive: true, mode: 0o700 });
      folder ??= createTemporary(join(uploads, SERVER), 'folder');
      const upload = createUpload(join(folder, id), maxBytes);
      const entry: Entry = {
        account_id,
        id,
        upload,
        began: Date.now(),
        state: 'uploading',
        progress: null,
        problem: null,
        ended_at: null,
        report: null,
      };
      entries.set(id, entry);
      return stateOf(entry);
    },
    async write(part) {
      const entry = find(part);
      if (entry.state !== 'uploading')
        throw new Failure(409, 'The files of this import are complete; begin another one.');
      await entry.upload.write(part);
    },
    async start(of, { isDry, timezone, agent }) {
      const entry = find(of);
      const { account_id, upload } = entry;
      // Another tab has started it, or the response was lost.
      if ((isDry ? /^checking$/ : /^(?:importing|done)$/).test(entry.state)) return stateOf(entry);
      const isReady = isDry ? /^(?:uploading|checked|failed)$/ : /^checked$/;
      if (!isReady.test(entry.state) || !upload.isWhole())
        throw new Failure(409, 'Upload all files and check them before you import them.');
      const begun = isDry ? 'checking' : 'importing';
      Object.assign(entry, { state: begun, problem: null, progress: null, ended_at: null });
      const before = turns.get(account_id);
      const turn = (async () => {
        await before;
        if (entries.get(entry.id) !== entry || entry.state !== begun) return; // it was left
        try {
          entry.importer = startImporter({
            context,
            database,
            account_id,
            folder: upload.folder,
            isDry,
            timezone,
            agent,
            onProgress: (progress) => {
              entry.progress = progress;
            },
          });
          await conclude(entry, entry.importer);
          if (!isDry) onWritten?.(account_id);
        } catch (error) {
          const problem = `The importer has failed (${(error as Error).message}); import again.`;
          Object.assign(entry, { state: 'failed', problem, ended_at: now() });
        }
      })();
      turns.set(account_id, turn);
      void turn.finally(() => turns.get(account_id) === turn && turns.delete(account_id));
      return stateOf(entry);
    },
    async get(of) {
      return stateOf(find(of));
    },
    async remove(of) {
      const entry = find(of);
      if (entry.state !== 'importing') return drop(entry);
      Object.assign(entry, { state: 'stopped', ended_at: now() }); // its report stays
      await entry.importer?.stop();
      await entry.upload.remove();
    },
    async removeAll(account_id) {
      const own = [...entries.values()].filter((entry) => entry.account_id === account_id);
      await Promise.all(own.map(drop));
    },
    async close() {
      clearInterval(timer);
      await Promise.all([...entries.values()].map(drop));
      if (folder !== undefined) removeTemporary(folder);
      try {
        rmdirSync(uploads);
      } catch {
        // It never was, or another server has uploads in it.
      }
    },
  };
}

/** Returns the folder of the uploads, in which each server has its own: beside a file, otherwise in this user's data folder. */
async function folderOf(database: string): Promise<string> {
  const isFile = engineOf(database).file !== undefined;
  return isFile ? `${resolve(database)}.uploads` : join(await dataFolder(), 'uploads');
}

/** Notes what an importer has done. After an import, its files are removed. */
async function conclude(entry: Entry, { result }: RunningImporter): Promise<void> {
  let ended;
  try {
    ended = await result;
  } catch {
    ended = { problem: 'The report of the importer cannot be read; import again.' };
  }
  entry.importer = undefined;
  if (entry.state === 'stopped') return;
  const isDry = entry.state === 'checking';
  entry.ended_at = now();
  if ('report' in ended) {
    if (!isDry) await entry.upload.remove();
    Object.assign(entry, { state: isDry ? 'checked' : 'done', report: ended.report });
  } else Object.assign(entry, { state: 'failed', problem: ended.problem });
}

function now(): string {
  return new Date().toISOString();
}

function stateOf({ upload, ...entry }: Entry): ImportState {
  const { id, state, progress, problem, report, ended_at } = entry;
  const [files, bytes] = [upload.files(), upload.bytes()];
  return { id, state, files, bytes, progress, problem, report, ended_at };
}
