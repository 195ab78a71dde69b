// Reads scripts/deploy/kubernetes.yaml as words for "docker run", so that its pods can be tried without Kubernetes.

import { loadAll } from 'js-yaml';

interface Container {
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly securityContext: {
    readonly readOnlyRootFilesystem: boolean;
    readonly capabilities: { readonly drop: readonly string[] };
  };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Pod {
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
}

interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly template?: { readonly spec: Pod };
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: Pod } } };
  };
}

/** Returns the words after "docker run" of the server and of the backup. Volumes are folders in /srv. */
export function asDocker(manifest: string): { server: string; job: string } {
  const all = loadAll(manifest) as Manifest[];
  const of = (kind: string) => all.find((each) => each.kind === kind)?.spec;
  return {
    server: words(of('StatefulSet')?.template?.spec),
    job: words(of('CronJob')?.jobTemplate?.spec.template.spec),
  };
}

function words(pod: Pod | undefined): string {
  if (pod === undefined) throw new Error('kubernetes.yaml has no such pod');
  const { containers, securityContext, volumes } = pod;
  const [{ args = [], env = [], securityContext: own, volumeMounts }] = containers;
  const folder = (name: string): string => {
    const claim = volumes.find((each) => each.name === name)?.persistentVolumeClaim?.claimName;
    return claim === undefined
      ? '/srv/tmp'
      : `/srv/${claim.replace(/^memories-backups$/, 'backups')}-claim`;
  };
  return [
    `--user ${securityContext.runAsUser}:${securityContext.runAsGroup}`,
    '--security-opt no-new-privileges',
    ...(own.readOnlyRootFilesystem ? ['--read-only'] : []),
    ...own.capabilities.drop.map((name) => `--cap-drop ${name}`),
    ...env.map(({ name, value }) => `--env ${name}=${value}`),
    ...volumeMounts.map(({ name, mountPath }) => `--volume ${folder(name)}:${mountPath}`),
    'memory-gateway',
    ...args,
  ].join(' ');
}
