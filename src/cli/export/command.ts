// export: all memories of an account, as they are at one moment.

import { withSnapshot, type Batches } from '../../store/snapshot.ts';
import type { Encoded } from '../../store/store.ts';
import { findAccount } from '../account.ts';
import { none } from '../accounts.ts';
import { Mistake, type Args } from '../args.ts';
import { amount, type Command } from '../command.ts';
import { withProgress, type Progress } from '../progress.ts';
import { FRAMES, writeFramed } from './framed.ts';
import { toFile, toStandardOutput, type Target } from './output.ts';

/** What was written. */
interface Written {
  readonly memories: number;
  /** Of all bytes, or of the list of the hashes of a folder's files. */
  readonly sha256: string;
}

const FORMATS = ['jsonl', 'json', 'markdown'] as const;
type Format = (typeof FORMATS)[number];

/** Writes all memories of an account. */
export const exportCommand: Command = {
  summary: 'write all memories of an account as JSON Lines, JSON or Markdown',
  options: ['database', 'account', 'format', 'output', 'overwrite', 'json'],
  says: { format: 'what to write: jsonl, json or markdown (else jsonl)' },
  run: async (args) => {
    none(args);
    const format = readFormat(args.text('format') ?? 'jsonl');
    const target = readTarget(args, format);
    return withSnapshot(args.need('database'), async (snapshot) => {
      const { id, memories: total } = findAccount(snapshot, args);
      const work = (progress: Progress) =>
        write(counted(snapshot.memories(id), progress), format, target);
      const { memories, sha256 } = await withBar(total, target, work);
      const of = format === 'markdown' ? ' of SHA256SUMS' : '';
      const count = amount(memories, 'memory', 'memories');
      return {
        note: `Exported ${count} of account ${id}; the SHA-256${of} is ${sha256}.`,
        json: { account_id: id, format, output: target?.path, memories, sha256 },
      };
    });
  },
};

function readFormat(text: string): Format {
  const format = FORMATS.find((each) => each === text);
  if (format !== undefined) return format;
  throw new Mistake(`--format takes ${FORMATS.join(', ')}, not "${text}".`);
}

/** Reads where it goes to: standard output where nothing is said. */
function readTarget(args: Args, format: Format): Target | undefined {
  const path = args.text('output');
  const overwrite = args.flag('overwrite');
  if (path === '') throw new Mistake('--output takes the path of a file or a folder.');
  if (path !== undefined) return { path, overwrite, spare: args.need('database') };
  if (format === 'markdown')
    throw new Mistake('Give --output FOLDER; Markdown is a folder of files.');
  if (overwrite) throw new Mistake('--overwrite goes with --output.');
  if (args.flag('json'))
    throw new Mistake('--json goes with --output, as standard output has the memories.');
  return undefined;
}

async function write(
  memories: Batches,
  format: Format,
  target: Target | undefined,
): Promise<Written> {
  if (format === 'markdown') {
    const { writeNotes } = await import('./notes.ts'); // which no other run needs
    return writeNotes(memories, target as Target);
  }
  if (target === undefined) return writeFramed(memories, FRAMES[format], toStandardOutput());
  return toFile(target, (put) => writeFramed(memories, FRAMES[format], put));
}

/** Works with a bar, unless it would stand among the memories on a terminal. */
function withBar<T>(
  total: number,
  target: Target | undefined,
  work: (progress: Progress) => Promise<T>,
) {
  if (target === undefined && process.stdout.isTTY) return work({ to() {}, say() {} });
  return withProgress({ total, unit: 'memories' }, work);
}

async function* counted(batches: Batches, progress: Progress): AsyncGenerator<readonly Encoded[]> {
  let count = 0;
  for await (const items of batches) {
    yield items;
    count += items.length;
    progress.to(count);
  }
}
