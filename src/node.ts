// Whether this Node is one that the program runs on: looked at first, before anything that an older one lacks.

/** The oldest Node that the program runs on; the addon of better-sqlite3 13 kills older ones without a word. */
export const OLDEST_NODE = '22.18';

const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
const isTooOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);

/** What to say where this Node is too old; undefined where it is not. */
export const tooOld = isTooOld
  ? `memory-gateway needs Node ${OLDEST_NODE} or newer, and this is ${node}; install a newer one from nodejs.org.`
  : undefined;
