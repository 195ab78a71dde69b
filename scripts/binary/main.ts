// npm run binary: builds Node, the program and all of its files into one file, out/memory-gateway.

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { UsageError } from '../../src/cli/args/parse.ts';
import { formatBytes } from '../../src/cli/output/progress.ts';
import { SIGNALS } from '../../src/cli/signals.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { ROOT } from '../bundling.ts';
import { flag, runScript, say, word } from '../command.ts';
import { assemble } from './assemble.ts';

const HELP = `Builds the program, with Node and all that it reads, as one file for this platform: out/memory-gateway.

Usage: npm run binary -- [OPTIONS]

  --reproducible   make the same bytes of the same commit, from a clean clone, with the packages of its lock file, on the
                   same platform and by the same strip; it starts slower, without a snapshot of the loaded program
  --unstripped     keep the symbols of Node, as debuggers show them
  --arm64-node FILE  build for Linux on arm64 with this Node, of the version that builds, and without a snapshot
  --output FOLDER  where to put it (else out)
  --json           print {"file", "bytes", "sha256", "reproducible", "stripped"} and nothing else
  --help           show this
`;

const options = {
  reproducible: flag,
  unstripped: flag,
  'arm64-node': word,
  output: word,
  json: flag,
};

await runScript({ name: 'binary', help: HELP, options }, async ({ values }) => {
  requireBuilder();
  if (values.output === '') throw new UsageError('Give --output FOLDER.');
  const folder = resolve(values.output ?? join(ROOT, 'out'));
  const built = await build(folder, values);
  say(values.json ? JSON.stringify(built) : show(built));
});

interface Built {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly reproducible: boolean;
  readonly stripped: boolean;
  readonly snapshot: boolean;
}

interface How {
  readonly reproducible?: boolean;
  readonly unstripped?: boolean;
  readonly 'arm64-node'?: string;
}

/** Throws `Refusal` if no executable can be built here. */
function requireBuilder(): void {
  if (Number.parseInt(process.versions.node, 10) < 26)
    throw new Refusal('Node 26 builds the executable; run it by npm, which brings one.');
  if (process.platform === 'win32')
    throw new Refusal('There is no executable for Windows; take the package from npm.');
}

async function build(
  folder: string,
  { reproducible = false, unstripped = false, 'arm64-node': foreign }: How,
): Promise<Built> {
  const stage = createStage(folder);
  const remove = () => rmSync(stage, { recursive: true, force: true });
  for (const signal of SIGNALS)
    process.once(signal, () => {
      remove();
      process.exit(1);
    });
  try {
    const node = join(stage, 'node');
    copyFileSync(foreign ?? process.execPath, node);
    // This machine can neither strip a foreign Node nor run it to take a snapshot.
    const stripped = foreign === undefined && !unstripped && strip(node);
    const snapshot = foreign === undefined && !reproducible;
    const platform = foreign === undefined ? {} : { platform: 'linux-arm64' };
    const made = await assemble({ stage, node, snapshot, ...platform });
    if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', made]);
    // A running executable keeps its old file.
    const file = join(folder, 'memory-gateway');
    const bytes = readFileSync(made);
    renameSync(made, file);
    return {
      file,
      bytes: bytes.length,
      sha256: hash('sha256', bytes),
      reproducible,
      stripped,
      snapshot,
    };
  } catch (error) {
    throw unwritable(error, folder);
  } finally {
    remove();
  }
}

/** Creates the folder for the build, next to the destination. Throws `Refusal` if it cannot. */
function createStage(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true });
    return mkdtempSync(join(folder, 'stage-'));
  } catch (error) {
    throw unwritable(error, folder);
  }
}

/**
 * Turns a disk error into a sentence. Other errors stay unchanged, because they contain the output
 * of a program.
 */
function unwritable(error: unknown, folder: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || syscall.startsWith('spawn')) return error;
  return new Refusal(
    `Nothing can be built in ${folder} (${code}); name a folder with --output that can be written and has 400 MB of room.`,
    { cause: error },
  );
}

/** Strips the symbols of a Node executable, a fifth of its size, if there is a program for it. */
function strip(file: string): boolean {
  try {
    execFileSync('strip', [file], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    process.stderr.write('There is no strip (of binutils), so the file is larger by a quarter.\n');
    return false;
  }
}

function show({ file, bytes, sha256, reproducible, stripped, snapshot }: Built): string {
  const how = [
    reproducible ? 'reproducible' : snapshot ? 'with a snapshot' : 'without a snapshot',
    ...(stripped ? [] : ['unstripped']),
  ];
  return [
    `${relative(process.cwd(), file)}: ${formatBytes(bytes)}, ${how.join(', ')}`,
    `SHA-256 ${sha256}`,
  ].join('\n');
}
