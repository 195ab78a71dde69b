// npm run soak: runs the program under load and writes for a long time, and checks its resources at the end.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { UsageError, parseStrictly } from '../../src/cli/args/parse.ts';
import { runToExit } from '../../src/cli/exit.ts';
import { print } from '../../src/cli/output/print.ts';
import { withProgress } from '../../src/cli/output/progress.ts';
import { processContext } from '../../src/cli/process.ts';
import { showNow, showOutcome } from './figures.ts';
import type { Outcome } from './soak.ts';

const HELP = `Serves a database under load while it is written, judges every answer, and tells what is kept.

Usage: npm run soak -- [OPTIONS]

  --minutes N  for how long (else 60); 0.5 is half a minute
  --seed S     any word; the same word chooses the same questions (else a new one)
  --json       print what came of it as JSON and nothing else
  --help       show this

Memory is judged where it takes 5 minutes or more, and told where it is shorter.

Exit codes: 0 it holds; 1 something is wrong; 2 called wrongly.
`;

const word = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = { minutes: word, seed: word, json: flag, help: flag };

process.exitCode = await runToExit('soak', processContext, async () => {
  const { values } = parseStrictly({ options });
  if (values.help) {
    print(processContext.stdout, HELP.trimEnd());
    return 0;
  }
  const { seed = String(Date.now()), json: isJson = false } = values;
  const minutes = readMinutes(values.minutes ?? '60');
  if (!isJson) print(processContext.stdout, `seed ${seed}`);
  const outcome = await soakAnew({ seed, minutes, isJson });
  print(
    processContext.stdout,
    isJson ? JSON.stringify({ seed, ...outcome }) : showOutcome(outcome),
  );
  return outcome.findings.length === 0 ? 0 : 1;
});

function readMinutes(text: string): number {
  if (/^\d{1,5}(\.\d{1,4})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(`--minutes takes a number above 0, not "${text}".`);
}

interface Wanted {
  readonly seed: string;
  readonly minutes: number;
  readonly isJson: boolean;
}

async function soakAnew({ seed, minutes, isJson }: Wanted): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-soak-'));
  process.env['TEST_FOLDER'] = folder; // the test support modules, loaded next, put their files here
  const { soak } = await import('./soak.ts');
  const counted = { total: Math.ceil(minutes * 60), unit: 'seconds' };
  try {
    return await withProgress(processContext, counted, (progress) =>
      soak({
        seed,
        minutes,
        folder,
        hear(now) {
          progress.to(Math.floor(now.minutes * 60), `${now.requests} requests`);
          if (!isJson) progress.say(showNow(now));
        },
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
