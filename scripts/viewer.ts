// The last step of npm run build: copies the viewer of the reference page to where the built gateway reads it.

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { VIEWER_FILES } from '../src/gateway/docs.ts';

const from = fileURLToPath(new URL('../node_modules/swagger-ui-dist/', import.meta.url));
const to = process.argv[2] ?? fileURLToPath(new URL('../dist/viewer/', import.meta.url));

rmSync(to, { recursive: true, force: true });
for (const name of VIEWER_FILES) cpSync(join(from, name), join(to, name));
