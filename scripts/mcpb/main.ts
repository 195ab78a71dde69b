// npm run mcpb: packs the executable as memory-gateway_VERSION_PLATFORM_ARCH.mcpb, which Claude Desktop installs.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { zipSync, type Zippable } from 'fflate';

import { Refusal } from '../../src/store/refusal.ts';
import { ROOT } from '../bundling.ts';
import { runScript, say, word } from '../command.ts';
import { EXECUTABLE, manifestOf, type About } from './manifest.ts';

const HELP = `Packs out/memory-gateway, which "npm run binary" builds, for Claude Desktop on this platform.

Usage: npm run mcpb -- [OPTIONS]

  --executable FILE  the executable to pack (default: out/memory-gateway)
  --output FOLDER    where to put it (default: out)
  --help             show this
`;

/** The first day of the format, and the modes of Unix: the same files give the same bytes. */
const FILE = { mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16 };
/** At the default level, 6, the file is one percent smaller, and takes two seconds more. */
const PROGRAM = { ...FILE, attrs: 0o100755 << 16, level: 4 } as const;

function pack(executable: string, to: string): string {
  const about: About = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { platform, arch } = process;
  const files: Zippable = {
    'manifest.json': [Buffer.from(JSON.stringify(manifestOf(about, platform))), FILE],
    'icon.png': [readFileSync(join(ROOT, 'src/app/browser/static/icon-192.png')), FILE],
    LICENSE: [readFileSync(join(ROOT, 'LICENSE')), FILE],
    'LICENSES.txt': [execFileSync(executable, ['licenses'], { maxBuffer: 1e8 }), FILE],
    [EXECUTABLE]: [readFileSync(executable), PROGRAM],
  };
  mkdirSync(to, { recursive: true });
  const file = join(to, `memory-gateway_${about.version}_${platform}_${arch}.mcpb`);
  writeFileSync(file, zipSync(files));
  return file;
}

const options = { executable: word, output: word };

await runScript({ name: 'mcpb', help: HELP, options }, async ({ values }) => {
  const executable = resolve(values.executable ?? join(ROOT, 'out/memory-gateway'));
  if (!existsSync(executable))
    throw new Refusal(`There is no ${executable}; build it with "npm run binary".`);
  say(pack(executable, resolve(values.output ?? join(ROOT, 'out'))));
});
