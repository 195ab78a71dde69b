#!/usr/bin/env node
// The program's first file. It imports nothing: older versions of Node fail on the imports themselves.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `memory-gateway needs Node 22.18 or newer, and this is ${process.versions.node}; install a newer one from nodejs.org.\n`,
  );
  process.exitCode = 1;
} else {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(process.argv.slice(2));
}
