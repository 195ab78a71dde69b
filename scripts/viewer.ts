// The last step of npm run build: copies the viewer of the reference page to where the built gateway reads it.

import { cpSync, rmSync } from 'node:fs';

import { VIEWER_FILES } from '../src/gateway/docs.ts';

const from = new URL('../node_modules/swagger-ui-dist/', import.meta.url);
const to = new URL('../dist/viewer/', import.meta.url);

rmSync(to, { recursive: true, force: true });
for (const name of VIEWER_FILES) cpSync(new URL(name, from), new URL(name, to));
