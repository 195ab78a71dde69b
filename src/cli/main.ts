#!/usr/bin/env node
// The program's first file. It imports one by one: an older Node fails on the second import itself.

const tooOld = await import('../node.ts').then(
  () => undefined,
  (error: Error) => error.message,
);
if (tooOld === undefined) {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(process.argv.slice(2));
} else {
  process.stderr.write(`${tooOld}\n`);
  process.exitCode = 1;
}
