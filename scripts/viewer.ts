// The last step of npm run build: puts the reference page and its viewer where the built gateway reads them.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { VIEWER_FILES } from '../src/gateway/public/docs.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const to = process.argv[2] ?? path('../dist/viewer/');

cpSync(path('../src/gateway/public/viewer/'), to, { recursive: true });
for (const name of VIEWER_FILES)
  cpSync(join(path('../node_modules/swagger-ui-dist/'), name), join(to, name));
