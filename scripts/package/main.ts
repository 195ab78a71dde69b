#!/usr/bin/env node
// The package's first file: it lets Node cache compiled code, then runs the program, which is a bundle of its own.

import '../../src/cli/first.ts';
import './compile-cache.ts';
import { processContext, stopWithParent } from '../../src/cli/process.ts';
import { runProgram } from '../../src/cli/program.ts';

async function main(): Promise<void> {
  stopWithParent();
  process.exitCode = await runProgram(process.argv.slice(2), processContext);
}

void main();
