#!/usr/bin/env node
// The package's first file: it lets Node cache compiled code, then runs the program, which is a bundle of its own.

import '../../src/cli/first.ts';
import './compile-cache.ts';
import { runThisProcess } from '../../src/cli/process.ts';
import { runProgram } from '../../src/cli/program.ts';

void runThisProcess(runProgram);
