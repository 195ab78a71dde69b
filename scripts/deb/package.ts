// The files of the Debian package: where each goes, and what it says.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { ROOT } from '../bundling.ts';
import { bashCompletion, fishCompletion, zshCompletion } from './completion.ts';
import { manPages } from './manual.ts';

const HERE = join(ROOT, 'scripts/deb');

/** What the package says of itself. */
export interface About {
  readonly version: string;
  readonly arch: string;
  /** The date of the version, in seconds since 1970. */
  readonly epoch: number;
  readonly maintainer: string;
  readonly homepage: string;
}

// Node writes no time into it, so the same text gives the same bytes.
const zip = (text: string): Buffer => gzipSync(text, { level: 9 });

/** Writes all files except the executable below `to`, and `DEBIAN/` with the scripts of the package. */
export function writeFiles(to: string, about: About): void {
  const put = (path: string, content: string | Buffer, mode = 0o644): void => {
    mkdirSync(join(to, dirname(path)), { recursive: true });
    writeFileSync(join(to, path), content, { mode });
  };
  const doc = 'usr/share/doc/memory-gateway';
  const day = new Date(about.epoch * 1000).toISOString().slice(0, 10);
  for (const [name, text] of manPages(about.version, day))
    put(`usr/share/man/man1/${name}.gz`, zip(text));
  put('usr/share/bash-completion/completions/memory-gateway', bashCompletion());
  put('usr/share/zsh/vendor-completions/_memory-gateway', zshCompletion());
  put('usr/share/fish/vendor_completions.d/memory-gateway.fish', fishCompletion());
  for (const name of units()) put(`lib/systemd/system/${name}`, unit(name));
  put('usr/bin/memory-gateway', readFileSync(join(HERE, 'command')), 0o755);
  put('etc/memory-gateway/env', readFileSync(join(HERE, 'env')), 0o640);
  put(`${doc}/changelog.gz`, zip(changelog(about)));
  put(`${doc}/copyright`, copyright(about));
  put('usr/share/lintian/overrides/memory-gateway', readFileSync(join(HERE, 'lintian-overrides')));
  for (const name of ['postinst', 'prerm', 'postrm'])
    put(`DEBIAN/${name}`, readFileSync(join(HERE, name)), 0o755);
  put('DEBIAN/conffiles', '/etc/memory-gateway/env\n');
}

/** Returns the text of DEBIAN/control. `kilobytes` is the size of all files. */
export function control({ version, arch, maintainer, homepage }: About, kilobytes: number): string {
  return `Package: memory-gateway
Version: ${version}
Architecture: ${arch}
Maintainer: ${maintainer}
Installed-Size: ${kilobytes}
Depends: adduser, libatomic1, libc6 (>= 2.34), libstdc++6 (>= 11)
Pre-Depends: init-system-helpers (>= 1.54~)
Section: net
Priority: optional
Homepage: ${homepage}
Description: read-only HTTP gateway to your recorded memories
 Memory Gateway serves recorded conversations, called memories, over a
 read-only HTTP API with full-text search. Each API key reads the memories of
 one account.
 .
 The program imports memories from many recorders and services, keeps them in
 one SQLite file or in PostgreSQL, and makes verified backups.
`;
}

function units(): string[] {
  return readdirSync(join(ROOT, 'scripts/deploy')).filter((name) =>
    /\.(service|socket|timer)$/.test(name),
  );
}

/** A unit as the package installs it: another path of the program, and the settings in /etc. */
function unit(name: string): string {
  return readFileSync(join(ROOT, 'scripts/deploy', name), 'utf8')
    .replaceAll('/usr/local/bin/memory-gateway', '/usr/lib/memory-gateway/memory-gateway')
    .replace(
      /^User=memories$/m,
      '# Your settings. They override those above.\nEnvironmentFile=-/etc/memory-gateway/env\nUser=memories',
    );
}

function changelog({ version, epoch, maintainer }: About): string {
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  return `memory-gateway (${version}) stable; urgency=medium

  * Version ${version}. CHANGELOG.md in the sources has every change.

 -- ${maintainer}  ${date}
`;
}

function copyright({ homepage }: About): string {
  const licence = readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim();
  const holder = /Copyright .*/.exec(licence)?.[0] ?? '';
  const text = licence.replace(/^[^]*?\n\n(?=Permission)/, '');
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Memory Gateway
Source: ${homepage}
Comment: The executable contains Node.js, SQLite and packages from npm. "memory-gateway licenses" prints
 their licences.

Files: *
Copyright: ${holder.replace(/^Copyright (\(c\) )?/i, '')}
License: Expat

License: Expat
${text.replaceAll(/^/gm, ' ').replaceAll(/^ $/gm, ' .')}
`;
}
