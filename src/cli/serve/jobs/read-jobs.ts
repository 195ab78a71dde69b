// Reads the options of serve about its jobs: --watch, --pull, and what belongs to them.

import { resolve } from 'node:path';

import { engineOf } from '../../../store/engines.ts';
import { chooseAccount } from '../../args/account.ts';
import type { Args } from '../../args/args.ts';
import type { OptionName } from '../../args/options/options.ts';
import { UsageError } from '../../args/parse.ts';
import { readDuration } from '../../args/values.ts';
import type { Context } from '../../context.ts';
import { pullJob, watchJob, type Job } from './job.ts';

/** The options of serve about its jobs. */
export const jobOptionNames = [
  'watch',
  'pull',
  'pull-url',
  'pull-credential',
  'account',
  'move',
] as const satisfies OptionName[];

/** Reads the jobs. Throws `UsageError`, and `Refusal` if there is no such account or credential. */
export async function readJobs(args: Args, context: Context): Promise<Job[]> {
  const folders = partsOf(args, 'watch').map((folder) => resolve(folder));
  const pulls = pairsOf(args, 'pull');
  for (const name of ['pull-url', 'pull-credential'] as const)
    for (const source of pairsOf(args, name).keys())
      if (!pulls.has(source))
        throw new UsageError(`--${name} names ${source}; add --pull ${source}=1h.`);
  if (folders.length + pulls.size === 0) {
    const isForAudio = args.text('audio') !== undefined;
    if ((args.text('account') !== undefined && !isForAudio) || args.flag('move'))
      throw new UsageError('--account and --move are for --watch and --pull; add one of them.');
    return [];
  }
  const engine = engineOf(args.need('database'));
  const given = args.text('account');
  const account_id = await engine.withSnapshot((snapshot) => {
    // The account may be made while the server runs. Until then its jobs are tried again and again.
    if (snapshot.accounts.length === 0 && given !== undefined) return given;
    return chooseAccount(snapshot, args).id;
  });
  const isMoving = args.flag('move');
  const watched = folders.map((folder) => watchJob({ folder, account_id, isMoving }));
  return [...watched, ...(await readPulls(args, context, account_id))];
}

async function readPulls(args: Args, context: Context, account_id: string): Promise<Job[]> {
  const pulls = pairsOf(args, 'pull');
  if (pulls.size === 0) return [];
  const { findSource, readUrl } = await import('../../pull/source-options.ts');
  const { readCredential } = await import('../../pull/credential.ts');
  const [urls, files] = [pairsOf(args, 'pull-url'), pairsOf(args, 'pull-credential')];
  const jobs: Job[] = [];
  for (const [name, interval] of pulls) {
    const source = findSource(name);
    const everyMs = readDuration('pull', interval, ['1m', '365d']);
    const url = readUrl(source, urls.get(name), 'pull-url');
    const credentialFile = files.get(name);
    // Each run reads it again, but a missing one is noticed now.
    await readCredential(source, credentialFile, context, `--pull-credential ${name}=FILE`);
    jobs.push(pullJob({ source: name, account_id, everyMs, url, credentialFile }));
  }
  return jobs;
}

function partsOf(args: Args, name: OptionName): string[] {
  return (args.text(name) ?? '').split(',').filter((part) => part.trim() !== '');
}

/** Reads an option such as `limitless=15m,omi=1h`. */
function pairsOf(args: Args, name: OptionName): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const part of partsOf(args, name)) {
    const [, source, value] = /^\s*([\w-]+)=(.+)$/.exec(part) ?? [];
    if (source === undefined || value === undefined)
      throw new UsageError(
        `--${name} takes a source and a value, such as limitless=${EXAMPLES[name] ?? ''}, not "${part}".`,
      );
    if (pairs.has(source)) throw new UsageError(`Give --${name} once for ${source}.`);
    pairs.set(source, value);
  }
  return pairs;
}

const EXAMPLES: Partial<Record<OptionName, string>> = {
  pull: '15m',
  'pull-url': 'http://127.0.0.1:8080',
  'pull-credential': 'limitless.key',
};
