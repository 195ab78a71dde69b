#!/usr/bin/env node
// The program's first file. Bundled, it evaluates its imports one by one, so the first may end it.

import './first.ts';
import { processContext, stopWithParent } from './process.ts';
import { runProgram } from './program.ts';

async function main(): Promise<void> {
  stopWithParent();
  process.exitCode = await runProgram(process.argv.slice(2), processContext);
}

void main();
