// Reads what is to be put right from the command line, does it, and says what became of it.

import * as v from 'valibot';

import type { CorrectionRequest, CorrectionResult } from '../../store/details/correct.ts';
import { NewCorrection } from '../../store/details/new-correction.ts';
import { engineOf } from '../../store/engines.ts';
import type { Args } from '../args/args.ts';
import { UsageError } from '../args/parse.ts';
import type { CommandResult } from '../command.ts';
import type { Context } from '../context.ts';
import { withProgress } from '../output/progress.ts';
import { escapeLine } from '../output/terminal.ts';
import { formatCount } from '../output/text.ts';
import { agentOf } from '../serve/command-env.ts';

/** Checks what is to be put right. `what` names the option or argument. Throws `UsageError`. */
export function readCorrection(given: NewCorrection, what: string): NewCorrection {
  if (given.field === 'speaker' && given.old === given.new)
    throw new UsageError(`"${escapeLine(given.new, 80)}" is the name already. Give another one.`);
  const found = v.safeParse(NewCorrection, given);
  if (found.success) return found.output;
  const [, field] = v.getDotPath(found.issues[0])?.split('.') ?? [];
  const entry = field === 'old' ? given.old : given.new;
  throw new UsageError(`${what} takes ${expectedOf(given)}, not "${escapeLine(entry ?? '', 80)}".`);
}

function expectedOf({ field }: NewCorrection): string {
  const option = NewCorrection.options.find(({ entries }) => entries.field.literal === field);
  const schema = option?.entries.new;
  return (schema && v.getDescription(schema)) ?? 'a time such as 2026-11-18T09:00:00Z';
}

/** Puts memories right, with progress if they may be many. */
export function correct(
  args: Args,
  context: Context,
  request: Omit<CorrectionRequest, 'isDry' | 'onProgress' | 'agent'>,
): Promise<CorrectionResult> {
  const stopped = () =>
    args.flag('dry-run')
      ? 'Stopped. Nothing was written, because this was a dry run.'
      : 'Stopped. Some memories are put right. Run the same command again for the rest.';
  return withProgress(context, { total: 0, unit: 'memories', stopped }, (progress) =>
    engineOf(args.need('database')).withWriter((writer) =>
      writer.corrections.correct({
        ...request,
        agent: agentOf(context),
        isDry: args.flag('dry-run'),
        onProgress: (memories) => progress.to(memories),
      }),
    ),
  );
}

/** Says what a change of corrections has done in all memories, or would do. */
export function formatChanged(
  { changed }: CorrectionResult,
  isDry: boolean,
): Required<Pick<CommandResult, 'text' | 'json'>> {
  const count = formatCount(changed.length, 'memory', 'memories');
  const verb = isDry ? 'would change' : changed.length === 1 ? 'is changed' : 'are changed';
  return { text: `${count} ${verb}.`, json: { dry_run: isDry, changed } };
}
