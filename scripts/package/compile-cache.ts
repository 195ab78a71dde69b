// Lets Node cache the program's compiled code in the user's home. Imported before the program, which Node compiles as it loads.

import { enableCompileCache } from 'node:module';
import { userInfo } from 'node:os';

import { ownFolder } from './own-folder.ts';

const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
const isDecided = Boolean(NODE_COMPILE_CACHE || NODE_DISABLE_COMPILE_CACHE);

// Node runs what it finds there, so it must be a folder that nobody else can write.
const folder = isDecided || process.platform === 'win32' ? undefined : ownFolder(home());
if (folder !== undefined) enableCompileCache(folder);

/** Returns this user's home, or '' without one. Not HOME, which sudo can leave at another user's home. */
function home(): string {
  try {
    return userInfo().homedir;
  } catch {
    return ''; // a user without a name, as in a container
  }
}
