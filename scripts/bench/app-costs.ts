// What the web app costs: its page, and a sign-in by password, compared with the hash of the password alone.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

import { hashPassword } from '../../src/app/server/sign-in/password.ts';
import { engineOf } from '../../src/store/engines.ts';
import { ours, pathTo } from './contestants.ts';
import type { Data } from './data.ts';
import { measureLoaded } from './load-measurements.ts';
import type { Scene, Work } from './measurement.ts';
import type { Request } from './request.ts';
import { runRounds } from './rounds.ts';
import type { Program } from './server.ts';

const PASSWORD = 'forty-one boxes and a ferry';

/** The address that the server is told to have, because the request names it. */
const ORIGIN = 'http://bench.test';

/** A sign-in takes a quarter of a second of one core, so several would only wait. */
const ONE_CONNECTION = 1;

/** The measurements. */
export const ofApp: readonly Work[] = [
  {
    name: 'app-page',
    title: 'the page of the app',
    targets: [],
    measure: (scene) =>
      measureLoaded(scene, { request: () => ({ path: '/app/', headers: {} }), isCached: false }),
  },
  {
    name: 'sign-in',
    title: 'sign-in by password',
    targets: [],
    measure: async (scene) => {
      const programs = [hashAlone(), await withPassword(scene)];
      const request = signingIn(scene.files[0]);
      const contestants = programs.map((program) => ({ ...program, request }));
      return runRounds(contestants, { pace: scene.pace, connections: ONE_CONNECTION });
    },
  },
];

/** A server that hashes as our app does, and sends nothing. */
function hashAlone(): Program {
  return {
    name: 'bare node:http and scrypt',
    args: (port) => [pathTo('scrypt.cjs'), String(port)],
  };
}

/** The gateway with a copy of a file, because each sign-in writes a session. */
async function withPassword({ files: [{ path, account }], folder }: Scene): Promise<Program> {
  const database = join(folder, 'sign-in.db');
  copyFileSync(path, database);
  const store = await engineOf(database).openApp();
  try {
    const hash = await hashPassword(PASSWORD);
    await store.passwords.set({ account_id: account, hash, agent: 'bench' });
  } finally {
    await store.close();
  }
  return { ...ours({ path: database }), env: { MEMORY_GATEWAY_BASE_URL: ORIGIN } };
}

function signingIn({ account }: Data): Request {
  return {
    method: 'POST',
    path: '/app/v1/sessions',
    headers: { origin: ORIGIN, 'content-type': 'application/json' },
    body: JSON.stringify({ way: 'password', account, password: PASSWORD }),
  };
}
