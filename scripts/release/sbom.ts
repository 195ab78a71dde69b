// Prints the bill of materials of a release in CycloneDX: the packages in the program, and Node, which is in the executable.
// Usage: node sbom.ts, after "npm run build".

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A bill of materials, as far as it is changed here. */
export interface Sbom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly name: string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string }[];
}

/** npm's mark of devDependencies. Here it would say that a package is not in the program. */
const DEVELOPMENT = 'cdx:npm:package:development';

/** Returns the packages whose licences the build has collected, such as `pino 10.4.0`. */
export function packagesIn(licences: string): string[] {
  const heads = licences.matchAll(/(?:^|\n-{80}\n\n)(\S+ \d\S*)\n\n/g);
  return Array.from(heads, ([, head = '']) => head);
}

/**
 * Reduces what npm knows of all packages, those of the tests included, to those that are shipped. The program
 * is bundled, so "dependencies" in package.json has only some of them. Throws if npm does not know one.
 */
export function reduceToShipped(all: Sbom, shipped: readonly string[]): Sbom {
  const isShipped = ({ name, version }: Component) => shipped.includes(`${name} ${version}`);
  const components = all.components.filter(isShipped).map((each) => ({
    ...each,
    properties: each.properties?.filter(({ name }) => name !== DEVELOPMENT) ?? [],
  }));
  const known = new Set(components.map(({ name, version }) => `${name} ${version}`));
  const missing = shipped.filter((each) => !known.has(each));
  if (missing.length > 0) throw new Error(`npm does not list ${missing.join(', ')}; run "npm ci".`);
  const { component } = all.metadata;
  const own = component['bom-ref'];
  const refs = new Set([own, ...components.map((each) => each['bom-ref'])]);
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  // npm takes the name of the folder.
  const metadata = {
    ...all.metadata,
    component: { ...component, name: own.replace(/@[^@]*$/, '') },
  };
  return { ...all, metadata, components, dependencies };
}

/** Returns what npm lists of the packages that are installed here. It cannot describe the workspaces of the tests. */
export function listPackages(): Sbom {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 } as const;
  return JSON.parse(execFileSync('npm', [...words, '--workspaces=false'], options));
}

if (import.meta.main) {
  const licences = readFileSync(join(ROOT, 'dist/cli/LICENSES.txt'), 'utf8');
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const shipped = [...packagesIn(licences), `node ${devDependencies.node}`];
  const sbom = reduceToShipped(listPackages(), shipped);
  process.stdout.write(`${JSON.stringify(sbom, undefined, 2)}\n`);
}
