// The oldest supported Node, checked before anything else is imported.

/** The oldest supported Node. The addon of better-sqlite3 13 crashes older ones without a message. */
export const OLDEST_NODE = '22.18';

const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
const isTooOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);

/** The error message if this Node is too old, otherwise undefined. */
export const tooOld = isTooOld
  ? `memory-gateway needs Node ${OLDEST_NODE} or newer, and this is ${node}; install a newer one from nodejs.org.`
  : undefined;
