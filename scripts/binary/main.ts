// npm run binary: Node, the program and all that it reads in one file, out/memory-gateway.

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { parseStrictly } from '../../src/cli/args.ts';
import { runToExit } from '../../src/cli/exit.ts';
import { print } from '../../src/cli/print.ts';
import { showBytes } from '../../src/cli/progress.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { ROOT } from '../bundling.ts';
import { assemble } from './assemble.ts';

const HELP = `Builds the program, with Node and all that it reads, as one file for this platform: out/memory-gateway.

Usage: npm run binary -- [OPTIONS]

  --reproducible   make the same bytes of the same commit; it starts slower, without a snapshot of the loaded program
  --unstripped     keep the symbols of Node, as debuggers show them
  --output FOLDER  where to put it (else out)
  --json           print {"file", "bytes", "sha256", "reproducible", "stripped"} and nothing else
  --help           show this
`;

const flag = { type: 'boolean' } as const;
const options = {
  reproducible: flag,
  unstripped: flag,
  output: { type: 'string' },
  json: flag,
  help: flag,
} as const;

process.exitCode = await runToExit('binary', async () => {
  const { values } = parseStrictly({ options });
  if (values.help) {
    print(HELP.trimEnd());
    return 0;
  }
  requireBuilder();
  const folder = resolve(values.output || join(ROOT, 'out'));
  const built = await build(folder, { ...values });
  print(values.json ? JSON.stringify(built) : show(built));
  return 0;
});

interface Built {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly reproducible: boolean;
  readonly stripped: boolean;
}

interface How {
  readonly reproducible?: boolean;
  readonly unstripped?: boolean;
}

/** Fails with `Refusal` where this Node or this system makes no executables that were tried. */
function requireBuilder(): void {
  const isBuilder = process.allowedNodeEnvironmentFlags.has('--build-sea') || hasBuildSea();
  if (!isBuilder)
    throw new Refusal('Node 26 builds the executable; run it by npm, which brings one.');
  if (process.platform === 'win32')
    throw new Refusal('The executable is built on Linux and macOS; on Windows take the package.');
}

function hasBuildSea(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 25 || (major === 25 && minor >= 5);
}

async function build(
  folder: string,
  { reproducible = false, unstripped = false }: How,
): Promise<Built> {
  mkdirSync(folder, { recursive: true });
  const stage = mkdtempSync(join(folder, 'stage-'));
  try {
    const node = join(stage, 'node');
    copyFileSync(process.execPath, node);
    const stripped = !unstripped && strip(node);
    const made = await assemble({ stage, node, snapshot: !reproducible });
    if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', made]);
    // The file that is there may be running: it goes on with its own.
    const file = join(folder, 'memory-gateway');
    renameSync(made, file);
    const bytes = readFileSync(file);
    return { file, bytes: bytes.length, sha256: hash('sha256', bytes), reproducible, stripped };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Takes the symbols out of a Node, which are a fifth of it, where there is a program for it. */
function strip(file: string): boolean {
  try {
    execFileSync('strip', [file], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(
      'There is no strip (of binutils) that works here, so the file is larger by a fifth.\n',
    );
    return false;
  }
}

function show({ file, bytes, sha256, reproducible, stripped }: Built): string {
  const how = [
    reproducible ? 'reproducible' : 'with a snapshot',
    ...(stripped ? [] : ['unstripped']),
  ];
  return [
    `${relative(process.cwd(), file)}: ${showBytes(bytes)}, ${how.join(', ')}`,
    `SHA-256 ${sha256}`,
  ].join('\n');
}
