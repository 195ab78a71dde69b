// Runs a page of the manual: its blocks in order, in one shell, and compares what they print with what the page shows.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Block, Page } from '../../../scripts/docs/pages.ts';
import { freePort } from '../world/free-port.ts';
import { ROOT } from '../world/program.ts';
import { difference } from './expected.ts';
import type { Workshop } from './workshop.ts';

/** How long a block may take, and how long a server may take until it listens or prints, in milliseconds. */
const BLOCK_MS = 60_000;
const LISTEN_MS = 10_000;

/** How long programs may take to stop at the end of a page, in milliseconds. */
const STOP_MS = 2_000;

/** The parts of a clone that commands may name. */
const CLONE = ['fixtures', 'scripts'];

/** A program that runs until it is stopped. */
const SERVES = /\.listen\(|\bserve\(|\.follow\(/;

/** Returns whether the page says that a block cannot be run. */
export const isSkipped = ({ info }: Block): boolean => info.startsWith('no-run');

/** Returns whether a block is run. */
export const isRun = (block: Block): boolean =>
  ['sh', 'ts'].includes(block.language) && !isSkipped(block);

/** Returns the file name in the comment on the first line of a TypeScript block. */
export const fileOf = ({ code }: Block): string | undefined =>
  /^\/\/ ([\w./-]+\.m?[tj]s)\b/.exec(code)?.[1];

/** Runs a page. Fails with the line of the first block that does not do what the page says. */
export async function runPage(page: Page, workshop: Workshop): Promise<void> {
  const ports = await choosePorts(page);
  const shell = startShell(workshop.room(), workshop.env, ports);
  const used = page.blocks.filter(isRun).map(({ code }) => code);
  for (const name of CLONE)
    if (used.some((code) => code.includes(`${name}/`)))
      symlinkSync(join(ROOT, name), join(shell.folder, name));
  try {
    for (const [i, block] of page.blocks.entries()) {
      if (!isRun(block)) continue;
      const after = page.blocks[i + 1];
      const shown = after?.language === 'text' ? after.code : undefined;
      const failure = await runBlock({ page, shell, block, shown, ports });
      if (failure !== undefined) throw new Error(`${page.path}:${block.line}: ${failure}`);
    }
  } finally {
    await shell.end();
  }
}

interface Step {
  readonly page: Page;
  readonly shell: Shell;
  readonly block: Block;
  /** Returns the output that the page shows for a block. */
  readonly shown: string | undefined;
  readonly ports: ReadonlyMap<string, string>;
}

/** Runs one block. Returns the fault, if any. */
async function runBlock(step: Step): Promise<string | undefined> {
  const { page, shell, block, shown, ports } = step;
  let script = block.code;
  if (block.language === 'ts') {
    const file = fileOf(block);
    const name = file ?? `block-${block.line}.ts`;
    writeFileSync(join(shell.folder, name), withPorts(block.code, ports));
    const isUsed = page.blocks.some(
      (other) => other !== block && isRun(other) && file !== undefined && other.code.includes(file),
    );
    if (isUsed) return undefined;
    script = `node ${name}${SERVES.test(block.code) ? ' &' : ''}\n`;
  }
  const isBackground = /&\s*$/m.test(script);
  const name = `${block.line}`;
  const { code, printed } = await shell.run(name, withPorts(script, ports), shown === undefined);
  if (code !== 0 && (shown === undefined || code === undefined))
    return `exit code ${code}\n${printed()}`;
  if (isBackground) {
    const waits = portsOf(step, script);
    for (const port of waits)
      if (!(await listens(Number(ports.get(port)))))
        return `nothing listens on port ${port}\n${printed()}`;
    // A server listens before it prints, and the next block reads what it prints.
    for (const [, file] of script.matchAll(/--json > ([\w.-]+) &\s*$/gm))
      if (!(await isWritten(join(shell.folder, String(file)))))
        return `nothing was written to ${file}\n${printed()}`;
  }
  if (shown === undefined) return undefined;
  const compare = () => difference(shown, documented(printed(), ports));
  // A server may print after it listens.
  const end = Date.now() + (isBackground ? LISTEN_MS : 0);
  while (compare() !== undefined && Date.now() < end) await sleep(50);
  return compare();
}

/** The ports on which a block's background programs listen, as the page writes them. */
function portsOf({ page, block, ports }: Step, script: string): string[] {
  const files = page.blocks.filter((other) => {
    const file = fileOf(other);
    return other === block || (file !== undefined && script.includes(file));
  });
  const text = [script, ...files.map(({ code }) => code)].join('\n');
  const named = [...ports.keys()].filter((port) => new RegExp(LISTENS_ON(port)).test(text));
  const isDefault = /memory-gateway (serve|demo)\b/.test(text) && !/--port|_PORT=/.test(text);
  return [...new Set(isDefault ? [...named, '8787'] : named)];
}

/** The ways in which a program names its port. */
const LISTENS_ON = (port: string) =>
  String.raw`(--port |--admin (?:[\d.]+:)?|PORT=|listen\(|port: )${port}\b`;

/** Waits until a program listens on a port. Returns whether one does. */
async function listens(port: number): Promise<boolean> {
  for (let waited = 0; waited < LISTEN_MS; waited += 25) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => resolve(false));
    });
    if (isThere) return true;
    await sleep(25);
  }
  return false;
}

/** Waits until a file has a whole line. Returns whether it has one. */
async function isWritten(path: string): Promise<boolean> {
  for (let waited = 0; waited < LISTEN_MS; waited += 25) {
    if (existsSync(path) && readFileSync(path, 'utf8').endsWith('\n')) return true;
    await sleep(25);
  }
  return false;
}

/** Picks a free port for each port that a page's blocks name, and for the default one. */
async function choosePorts(page: Page): Promise<Map<string, string>> {
  const code = page.blocks.filter(isRun).map((block) => block.code);
  const named = code.flatMap((text) =>
    Array.from(
      text.matchAll(
        /(?:127\.0\.0\.1:|localhost:|--port |--admin |PORT=|listen\(|port: )(\d{4,5})/g,
      ),
      ([, port]) => String(port),
    ),
  );
  const ports = new Map<string, string>();
  for (const port of new Set(['8787', ...named])) ports.set(port, String(await freePort()));
  return ports;
}

function withPorts(code: string, ports: ReadonlyMap<string, string>): string {
  return code.replaceAll(/\b\d{4,5}\b/g, (port) => ports.get(port) ?? port);
}

/** Replaces the ports in an output by those that the page names. */
function documented(printed: string, ports: ReadonlyMap<string, string>): string {
  const names = new Map(Array.from(ports, ([port, free]) => [free, port]));
  return printed.replaceAll(/\b\d{4,5}\b/g, (port) => names.get(port) ?? port);
}

interface Shell {
  readonly folder: string;
  /** Runs a script to its end; `code` is absent if the script ended the shell or took too long. */
  readonly run: (name: string, script: string, isStrict: boolean) => Promise<Ran>;
  readonly end: () => Promise<void>;
}

interface Ran {
  readonly code: number | undefined;
  /** Returns the output of the script so far, including that of its background programs. */
  readonly printed: () => string;
}

/** Starts a shell that runs scripts one after the other. */
function startShell(
  folder: string,
  env: Readonly<Record<string, string>>,
  ports: ReadonlyMap<string, string>,
): Shell {
  const child: ChildProcessWithoutNullStreams = spawn('sh', [], {
    cwd: folder,
    env: { ...env, MEMORY_GATEWAY_PORT: String(ports.get('8787')) },
    detached: true, // a process group of its own, so that everything it has started can be stopped
  });
  const closed = new Promise<undefined>((resolve) => child.once('close', () => resolve(undefined)));
  child.stdin.on('error', () => {}); // a script may end the shell
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const scripts = `${folder}.scripts`;
  return {
    folder,
    run: async (name, script, isStrict) => {
      const [file, out] = [`${scripts}-${name}.sh`, `${scripts}-${name}.txt`];
      writeFileSync(file, script);
      const set = isStrict ? 'set -e' : 'set +e';
      child.stdin.write(`${set}\n. '${file}' </dev/null >'${out}' 2>&1\necho $?\n`);
      const timeout = sleep(BLOCK_MS, undefined, { ref: false });
      const line = await Promise.race([lines.next(), timeout, closed]);
      const code = line === undefined || line.done ? undefined : Number(line.value);
      return { code, printed: () => (existsSync(out) ? readFileSync(out, 'utf8') : '') };
    },
    end: async () => {
      child.stdin.destroy();
      const group = Number(child.pid);
      const isThere = () => signalGroup(group, 0);
      signalGroup(group, 'SIGTERM');
      for (let waited = 0; isThere() && waited < STOP_MS; waited += 10) await sleep(10);
      if (isThere()) signalGroup(group, 'SIGKILL');
    },
  };
}

/** Sends a signal to a process group. Signal 0 only checks. Returns whether the group exists. */
function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-id, signal);
  } catch {
    return false; // all have ended
  }
}
