// Runs the command start: the folder, the database, the account, and the link that the person opens.

import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { createClaim } from '../../../app/server/sign-in/claim.ts';
import type { EmbeddingsOptions } from '../../../embeddings/target.ts';
import { shellWord } from '../../../lib/shell.ts';
import { commandOn } from '../../../store/address.ts';
import { engineOf } from '../../../store/engines.ts';
import { Refusal } from '../../../store/refusal.ts';
import { DEFAULT_FILE } from '../../args/database.ts';
import { withEmbeddings } from '../../args/embeddings.ts';
import { options } from '../../args/options/options.ts';
import { readSize } from '../../args/values.ts';
import type { CommandResult } from '../../command.ts';
import { signInLink } from '../../commands/accounts/sign-in.ts';
import { lastBackupAt } from '../../commands/database/backup.ts';
import type { Context } from '../../context.ts';
import { nameProgram, ownProgram } from '../../exit.ts';
import { createLogger } from '../../output/logger.ts';
import { print } from '../../output/print.ts';
import { appAddresses, openWrites } from '../app.ts';
import { backupJob, BACKUPS_KEPT, watchJob } from '../jobs/job.ts';
import { createJobRunner } from '../jobs/run-jobs.ts';
import { keptAt } from '../kept.ts';
import { reachedBy } from '../listen/listen.ts';
import { createFirstMemory } from './first-memory.ts';
import { otherPort, serveOnFreePort } from './free-port.ts';
import { createLinkSecret, localUrl, openBrowser } from './links.ts';
import { forgetServed, noteServed, servedAt } from './served.ts';

const INBOX = 'inbox';

/** The folder of the daily backups. Without it there are none. */
const BACKUPS = 'backups';

/** What to start. */
export interface StartOptions {
  readonly port: number;
  /** Whether other devices of the network can reach it. */
  readonly isForNetwork: boolean;
  readonly folder: string;
  /** Whether deleted memories stay in the bin for some time. */
  readonly hasBin: boolean;
  /** The folder with the recordings of the owner. */
  readonly audio: string | undefined;
  /** The endpoint of search by meaning. */
  readonly embeddings: EmbeddingsOptions | undefined;
  /** Whether the paths that each key reads are kept. */
  readonly keyLog: boolean;
  /** Whether a browser is opened. */
  readonly isOpening: boolean;
}

/** Makes what is missing, and serves it until a signal stops it. Rejects with `Refusal`. */
export async function runStart(
  { port, isForNetwork, folder, hasBin, audio, embeddings, keyLog, isOpening }: StartOptions,
  given: Context,
): Promise<CommandResult> {
  const context = { ...given, env: withEmbeddings(given.env, embeddings) }; // imports make vectors with it
  createFolders(folder);
  const database = join(folder, DEFAULT_FILE);
  const served = await servedAt(folder);
  if (served !== undefined)
    return signInAgain({ folder, database, url: served, isOpening }, context);
  const log = await createLogger(context.stderr, { level: 'warn' }); // stdout is for the link
  const { kept } = await engineOf(database).upgrade({ discard: false });
  const owner = await findOwner(database);
  const first = createFirstMemory(database, () => {
    try {
      print(context.stdout, 'Your first memory is there.');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error; // who read the link, such as head, is gone
    }
  });
  const { logger } = log;
  const jobs = createJobRunner({ context, database, logger });
  const maxBytes = readSize('max-upload', options['max-upload'].default);
  const writes = await openWrites({ context, database, maxBytes, hasBin, logger, jobs });
  const signInSecret = owner && (await createLinkSecret(database, owner.id)); // refused before it listens
  let reader = owner?.id;
  const backups = existsSync(join(folder, BACKUPS)) ? join(folder, BACKUPS) : undefined;
  const begin = (account_id: string) => {
    reader = account_id;
    first.lookFor(account_id);
    jobs.start([
      watchJob({ folder: join(folder, INBOX), account_id, isMoving: true }),
      ...(backups === undefined ? [] : [backupJob(backups, lastBackupAt(backups))]),
    ]);
  };
  const { secret, claim } = createClaim(async (name) => {
    const id = await createAccount(database, name);
    begin(id);
    return id;
  });
  const app = {
    ...writes,
    keyLog,
    ...ownProgram(context, database),
    kept: keptAt(database, backups === undefined ? undefined : () => lastBackupAt(backups)),
  };
  const { url, running } = await serveOnFreePort(context, {
    database,
    host: isForNetwork ? '0.0.0.0' : '127.0.0.1',
    port,
    // Tailscale and a proxy with TLS on this machine say how they were reached.
    throttle: { perMinute: 0, proxies: ['127.0.0.1', '::1'] },
    log,
    jobs,
    audio: audio === undefined ? undefined : (id) => (id === reader ? audio : undefined),
    app: owner === undefined ? { ...app, claim } : app,
    embeddings,
    onStopped: async () => {
      forgetServed(folder);
      first.stop();
      await writes.close();
    },
  });
  noteServed(folder, localUrl(url));
  if (owner !== undefined) begin(owner.id);
  await writes.sources.begin();
  const linkAt = (address: string) =>
    signInSecret === undefined
      ? `${address}/app/start#${secret}`
      : signInLink(address, signInSecret);
  // The browser of this machine is not led over a network that can read along.
  const link = linkAt(localUrl(url));
  if (isOpening) openBrowser(link, context);
  const elsewhere = isForNetwork ? networkAddresses(url).map(linkAt) : [];
  const started = { folder, database, backups, link, elsewhere, owner, kept, isForNetwork };
  const text = otherPort(port, localUrl(url)) + startText(started);
  return { text: nameProgram(text, context.env), running };
}

/** Signs in to the gateway that serves the folder already. Before there is an account, only its own link can. */
async function signInAgain(
  { folder, database, url, isOpening }: Again,
  context: Context,
): Promise<CommandResult> {
  const served = `The folder ${folder} is served already at ${url}.`;
  const owner = await findOwner(database);
  if (owner === undefined)
    return { text: `${served} Open the link that it printed, or stop it and start again.` };
  const link = signInLink(url, await createLinkSecret(database, owner.id));
  if (isOpening) openBrowser(link, context);
  return {
    text: `${served} Open this link to sign in as ${owner.name}. It works once, within 10 minutes:\n\n  ${link}`,
  };
}

interface Again extends Pick<StartOptions, 'folder' | 'isOpening'> {
  readonly database: string;
  readonly url: string;
}

/** A running gateway of `start`. */
interface Started {
  readonly folder: string;
  readonly database: string;
  readonly backups: string | undefined;
  readonly link: string;
  /** The same link for other devices of the network. */
  readonly elsewhere: readonly string[];
  readonly owner: Owner | undefined;
  readonly kept: string | undefined;
  readonly isForNetwork: boolean;
}

function startText(started: Started): string {
  const { folder, database, backups, link, elsewhere, owner, kept, isForNetwork } = started;
  const where = `${isForNetwork ? ' --host 0.0.0.0' : ''}${reachedBy(link)}`;
  const again = owner && commandOn(database, `sign-in ${shellWord(owner.id)}${where}`);
  return [
    owner === undefined
      ? 'Open this link to name your account. It works once:'
      : `Open this link to sign in as ${owner.name}. It works once, within 10 minutes:`,
    '',
    `  ${link}`,
    '',
    ...(again === undefined ? [] : [`Create another link: ${again}`, '']),
    `Your memories are in ${database}.`,
    backups === undefined
      ? `To have a backup every day, create the folder ${join(folder, BACKUPS)} and start again.`
      : `A backup is made every day in ${backups}, and the newest ${BACKUPS_KEPT} stay.`,
    `To import an export without the browser, put it into ${join(folder, INBOX)}.`,
    ...(kept === undefined ? [] : [`The database from before this version is kept as ${kept}.`]),
    ...(isForNetwork
      ? [
          '',
          ...(elsewhere.length > 0
            ? [
                'On another device of your network, open this link instead:',
                ...elsewhere.map((each) => `  ${each}`),
              ]
            : ['This machine has no address that other devices can open.']),
          'The connection is not encrypted, so others on this network can read along. Use --lan at home only.',
        ]
      : []),
    '',
    'Press Ctrl+C to stop.',
  ].join('\n');
}

/** Returns the addresses at which other devices can reach the gateway. */
function networkAddresses(url: string): string[] {
  const port = Number(new URL(url).port);
  return appAddresses({ baseUrl: '', host: '0.0.0.0', port }).slice(1); // without 127.0.0.1
}

/** Creates the folder and those in it, for this user alone. Throws `Refusal`. */
function createFolders(folder: string): void {
  // Somebody who wants no backups deletes their folder.
  const folders = existsSync(join(folder, DEFAULT_FILE)) ? [INBOX] : [INBOX, BACKUPS];
  try {
    for (const name of folders) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  } catch (cause) {
    const { code, path = folder } = cause as NodeJS.ErrnoException;
    const file = [path, folder].find((each) => existsSync(each) && !statSync(each).isDirectory());
    if (file !== undefined)
      throw new Refusal(
        `${file} is a file, but start needs a folder there; move it, or name another folder.`,
        { cause },
      );
    throw new Refusal(
      `The folder ${folder} cannot be created (${code}); name one that you may write to, as in: memory-gateway start ~/memories`,
      { cause },
    );
  }
}

/** The account that a link signs in. */
interface Owner {
  readonly id: string;
  readonly name: string;
}

function createAccount(database: string, name: string): Promise<string> {
  return engineOf(database).withWriter(({ accounts }) =>
    accounts.create({ name, created_by: 'command line' }),
  );
}

/** Finds the oldest account that is not disabled. */
async function findOwner(database: string): Promise<Owner | undefined> {
  const all = await engineOf(database).withWriter(({ accounts }) => accounts.list());
  return all.find(({ disabled_at }) => disabled_at === null);
}
