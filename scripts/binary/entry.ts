// The first module of the executable: what it imports is loaded when that is built, where a snapshot is made, and the program runs when it starts.

import { startupSnapshot } from 'node:v8';

import { runProgram } from '../../src/cli/program.ts';

async function main(): Promise<void> {
  process.exitCode = await runProgram(process.argv.slice(2));
}

if (startupSnapshot.isBuildingSnapshot())
  startupSnapshot.setDeserializeMainFunction(() => void main());
else void main();
