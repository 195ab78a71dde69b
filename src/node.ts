// The first import of every entry point: fails in one sentence on a Node that is too old.

/** The oldest Node that the program runs on; the addon of better-sqlite3 13 kills older ones without a word. */
export const OLDEST_NODE = '22.18';

const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);

if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  throw new Error(
    `memory-gateway needs Node ${OLDEST_NODE} or newer, and this is ${node}; install a newer one from nodejs.org.`,
  );
}
