// The first module of the executable: its imports are loaded at build time if there is a snapshot, and the program runs at the start.

import { startupSnapshot } from 'node:v8';

import { runThisProcess } from '../../src/cli/process.ts';
import { runProgram } from '../../src/cli/program.ts';
import { isWorkingOnJobs, workOnJobs } from './start-thread.ts';

async function main(): Promise<void> {
  if (isWorkingOnJobs()) return workOnJobs();
  await runThisProcess(runProgram);
}

if (startupSnapshot.isBuildingSnapshot()) {
  void import('../../src/app/server/open-with-app.ts'); // so that "serve" need not load it at its start
  startupSnapshot.setDeserializeMainFunction(() => void main());
} else void main();
