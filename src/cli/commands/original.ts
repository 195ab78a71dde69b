// memories original: writes what a memory was made from.

import { readOriginal } from '../../gateway/endpoints/details/originals.ts';
import { Refusal } from '../../store/refusal.ts';
import { oneArgument } from '../args/args.ts';
import { UsageError } from '../args/parse.ts';
import { withCleanup } from '../cleanup.ts';
import type { Command } from '../command.ts';
import { writeToFile, writeToStdout } from '../export/output.ts';
import { formatCount } from '../output/text.ts';
import { readAsAccount } from './accounts/account-api.ts';

/** Writes what a memory was made from, unchanged. */
export const memoriesOriginalCommand: Command = {
  summary: 'Write what a memory was made from, unchanged',
  about:
    'An import keeps the file of a memory, or its part of an export. Check the SHA-256 that this command prints against "original" in the details.',
  takes: 'ID',
  options: ['database', 'account', 'output', 'overwrite'],
  overrides: {
    account: { unset: 'the only account' },
    output: { value: 'FILE', help: 'File to write' },
    overwrite: { help: 'Replace the file' },
  },
  examples: [
    [
      'The captions that a memory was made from',
      'memory-gateway memories original standup-2026-11-18 --account mira --output standup.vtt',
    ],
    [
      'A part of an export, for people',
      'memory-gateway memories original call-7 --account mira | jq .',
    ],
  ],
  run: withCleanup(async (args, { stdout }) => {
    const id = oneArgument(args, 'ID');
    const path = args.text('output');
    const overwrite = args.flag('overwrite');
    if (path === '') throw new UsageError('--output takes the path of a file.');
    if (path === undefined && overwrite) throw new UsageError('--overwrite needs --output.');
    // A memory must not be able to control a terminal.
    if (path === undefined && stdout.isTTY)
      throw new UsageError(
        'Give --output FILE, or a pipe: the bytes are written unchanged, which is nothing for a terminal.',
      );
    const { bytes, media_type, sha256 } = await readAsAccount(args, async (store, account_id) => {
      const found = await readOriginal(store, { account_id }, id);
      if (found !== undefined) return found;
      throw new Refusal(
        `No original of memory ${id} was kept; import its file again, without "--originals off".`,
      );
    });
    if (path === undefined) await writeToStdout(stdout)(bytes);
    else
      await writeToFile({ path, overwrite, database: args.need('database') }, async (write) =>
        write(bytes),
      );
    const size = formatCount(bytes.length, 'byte', 'bytes');
    return { note: `Wrote ${size} of ${media_type}; the SHA-256 is ${sha256}.` };
  }),
};
