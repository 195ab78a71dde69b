// npm run deb: packs the executable as memory-gateway_VERSION_ARCH.deb, with units, man pages and shell completion.

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Refusal } from '../../src/store/refusal.ts';
import { ROOT } from '../bundling.ts';
import { runScript, say, word } from '../command.ts';
import { control, writeFiles, type About } from './package.ts';

const HELP = `Packs out/memory-gateway, which "npm run binary" builds, for Debian and Ubuntu.

Usage: npm run deb -- [OPTIONS]

  --executable FILE  the executable to pack (default: out/memory-gateway)
  --arch ARCH        the architecture of the executable: amd64 or arm64 (default: that of this machine)
  --version VERSION  the version of the package (default: that of package.json)
  --output FOLDER    where to put it (default: out)
  --help             show this
`;

const options = { executable: word, arch: word, version: word, output: word };

function readAbout(version: string | undefined, arch: string | undefined): About {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return {
    version: version ?? manifest.version,
    arch: arch ?? (process.arch === 'arm64' ? 'arm64' : 'amd64'),
    epoch: Number(process.env['SOURCE_DATE_EPOCH'] ?? lastCommit()),
    maintainer: manifest.author,
    homepage: manifest.homepage,
  };
}

/** Returns the time of the last commit, in seconds since 1970. The same commit gives the same package. */
function lastCommit(): string {
  return execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim();
}

function pack(executable: string, about: About, to: string): string {
  const root = mkdtempSync(join(tmpdir(), 'memory-gateway-deb-'));
  const umask = process.umask(0o022);
  try {
    writeFiles(root, about);
    mkdirSync(join(root, 'usr/lib/memory-gateway'), { recursive: true });
    copyFileSync(executable, join(root, 'usr/lib/memory-gateway/memory-gateway'));
    execFileSync('sh', ['-ec', FINISH, 'sh', control(about, 0)], { cwd: root });
    mkdirSync(to, { recursive: true });
    const file = join(to, `memory-gateway_${about.version}_${about.arch}.deb`);
    // dpkg-deb reads this variable from version 1.21.10 on, and Ubuntu's has another default. Short tests compress nothing.
    const { DPKG_DEB_COMPRESSOR_TYPE: type = 'xz' } = process.env;
    // The fast level: 10 s instead of 90 s, for a file that is an eighth larger.
    const words = ['--root-owner-group', `-Z${type}`, '-z1', '--build', root, file];
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(about.epoch) };
    execFileSync('dpkg-deb', words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    return file;
  } finally {
    process.umask(umask);
    rmSync(root, { recursive: true });
  }
}

/** Sets the modes, whatever the umask was, and adds the checksums and the size. */
const FINISH = `
find . -type d -exec chmod 755 {} +
chmod 755 . usr/bin/memory-gateway usr/lib/memory-gateway/memory-gateway
find usr etc lib -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums
chmod 644 DEBIAN/md5sums
printf '%s' "$1" | sed "s/^Installed-Size: .*/Installed-Size: $(du -sk --exclude=DEBIAN . | cut -f1)/" > DEBIAN/control
chmod 644 DEBIAN/control
`;

await runScript({ name: 'deb', help: HELP, options }, async ({ values }) => {
  const executable = resolve(values.executable ?? join(ROOT, 'out/memory-gateway'));
  if (!existsSync(executable))
    throw new Refusal(`There is no ${executable}; build it with "npm run binary".`);
  const about = readAbout(values.version, values.arch);
  say(pack(executable, about, resolve(values.output ?? join(ROOT, 'out'))));
});
