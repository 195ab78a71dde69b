#!/usr/bin/env node
// The program's first file. Bundled, it evaluates its imports one by one, so the first may end it.

import './first.ts';
import { runThisProcess } from './process.ts';
import { runProgram } from './program.ts';

void runThisProcess(runProgram);
