// The sources that owners set up in the app: checks what they enter, seals their keys, and wakes the jobs.

import type { PreparedSource, Sources, WantedSource } from '../../../app/server/imports.ts';
import { Failure } from '../../../contract/failure.ts';
import { isLoopback } from '../../../lib/loopback.ts';
import type { Source } from '../../../sources/source.ts';
import { Refusal } from '../../../store/refusal.ts';
import { VERSION } from '../../../version.ts';
import { withAppStore } from '../../args/database.ts';
import type { JobRunner } from './run-jobs.ts';

/** What sources need. */
export interface SourcesOptions {
  readonly database: string;
  readonly jobs: Pick<JobRunner, 'look'>;
}

/** Sources that a server has opened. */
export interface OpenSources extends Sources {
  /** Looks which sources are due, if there are any. Call it when the server runs. */
  readonly begin: () => Promise<void>;
}

/** Creates the sources of an app. The code of products is loaded when somebody opens the page. */
export async function createSources({ database, jobs }: SourcesOptions): Promise<OpenSources> {
  const { readState } = await import('../../../sources/state.ts');
  return {
    async products() {
      return (await offered()).map(({ name, product, url, credential }) => ({
        name,
        title: product,
        key: credential === undefined ? 'none' : credential.isOptional ? 'optional' : 'needed',
        key_place: credential?.place ?? null,
        needs_url: url === undefined,
      }));
    },
    prepare: (wanted) => prepare(wanted, database),
    backTo: (state) => readState(state).tail?.reached,
    look: () => jobs.look(),
    async begin() {
      // The server listens already. If the file is damaged, the jobs log why, and requests go on.
      const isUsed = withAppStore(database, ({ pulls }) => pulls.isUsed());
      if (await isUsed.catch(() => true)) jobs.look();
    },
  };
}

/** Returns the products that can be pulled from without anybody: their keys last. */
async function offered(): Promise<readonly Source[]> {
  const { sources } = await import('../../../sources/sources.ts');
  return sources.filter(({ credential }) => credential?.isShortLived !== true);
}

/** Finds the product and the address of a source. Throws a 422 if one of them is wrong. */
async function find({ product, url: given }: WantedSource) {
  const source = (await offered()).find(({ name }) => name === product);
  if (source === undefined)
    throw new Failure(422, 'There is no such product; choose one of the list.');
  const { plainUrl } = await import('../../pull/source-options.ts');
  const url = given === undefined ? source.url : plainUrl(given);
  if (url === undefined)
    throw new Failure(
      422,
      'Enter an address such as https://memories.example, without a query or a password.',
    );
  return { source, url };
}

async function prepare(wanted: WantedSource, database: string): Promise<PreparedSource> {
  const { account_id, product, key } = wanted;
  const { source, url } = await find(wanted);
  const { nameOf } = await import('../../pull/source-options.ts');
  const name = nameOf(source, url);
  const isOwn = url === source.url;
  return {
    name,
    product,
    url: isOwn ? null : url,
    sealed_key: key === undefined ? undefined : await seal({ account_id, name }, key, database),
    needsKey: source.credential !== undefined && source.credential.isOptional !== true,
    isPublic: isOwn && !isLoopback(new URL(url).hostname),
    check: () => check(source, url, key),
  };
}

/** How long a product may take, in milliseconds. Somebody waits for it. */
const PATIENCE_MS = 8000;

/** Requests what has come since now, which is the least that each product gives. */
async function check(source: Source, url: string, key?: string): Promise<string | null> {
  const { attemptOnce } = await import('../../../sources/product-request.ts');
  const tried = await attemptOnce(
    {
      source,
      url,
      secret: key?.trim(),
      userAgent: `memory-gateway/${VERSION}`,
      isFromApp: true,
      signal: new AbortController().signal,
      timeoutMs: PATIENCE_MS,
    },
    source.list({ cursor: undefined, since: Date.now(), until: undefined }),
  );
  if ('reply' in tried) return null;
  const { kind, status } = tried;
  if (kind === 'credential')
    throw new Failure(
      422,
      key === undefined
        ? `This product needs a key (${status}); enter one.`
        : `The product refuses this key (${status}); ${source.credential?.renewal ?? 'enter it as the product shows it now'}.`,
    );
  const why =
    status >= 400
      ? `its address answers with status ${status}`
      : kind === 'network' && status === 0
        ? 'its address cannot be reached now'
        : 'its address answers as something else does';
  return `It is saved, but could not be tried, because ${why}. It is tried again by itself.`;
}

/** Seals a key. Throws a 422 if it cannot be one, and a 503 if the key file cannot be used. */
async function seal(
  of: { readonly account_id: string; readonly name: string },
  key: string,
  database: string,
): Promise<string> {
  const { checkCredential } = await import('../../pull/credential.ts');
  const { keyFileOf, sealKey } = await import('../../pull/sealed-keys.ts');
  const checked = refusing(422, () => checkCredential(key.trim(), 'this field'));
  const file = await keyFileOf(database);
  return refusing(503, () => sealKey(file, of, checked));
}

function refusing<T>(status: 422 | 503, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refusal ? new Failure(status, error.message) : error;
  }
}
