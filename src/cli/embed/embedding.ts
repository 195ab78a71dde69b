// Runs the embed command account by account, and makes vectors after an import.

import { embedAccount, type Embedding } from '../../embeddings/embed-account.ts';
import { createEndpoint } from '../../embeddings/endpoint.ts';
import type { EmbeddingsOptions } from '../../embeddings/target.ts';
import type { Engine, Writer } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import { Refusal } from '../../store/refusal.ts';
import { CUT } from '../../text/passages/stretches.ts';
import { idOfNamed } from '../args/account.ts';
import type { Args } from '../args/args.ts';
import { readEmbeddings } from '../args/embeddings.ts';
import { UsageError } from '../args/parse.ts';
import type { CommandResult } from '../command.ts';
import type { Context } from '../context.ts';
import { withProgress } from '../output/progress.ts';
import { formatCount } from '../output/text.ts';

/** Makes the vectors that are missing, or removes all with --off. Rejects with `Refusal` if the endpoint fails. */
export async function runEmbedCommand(args: Args, context: Context): Promise<CommandResult> {
  const isOff = args.flag('off');
  const embeddings = isOff ? undefined : readEmbeddings(args, context.env);
  if (!isOff && embeddings === undefined)
    throw new UsageError(
      'Give --embeddings URL with your endpoint, or --off to remove the vectors.',
    );
  const only = await idOfNamed(args);
  return engineOf(args.need('database')).withWriter(async (writer) => {
    const ids = only ? [only] : (await writer.accounts.list()).map(({ id }) => id);
    return embeddings === undefined
      ? removeVectors(writer, ids)
      : makeVectors(writer, ids, { embeddings, context });
  });
}

async function removeVectors(writer: Writer, ids: readonly string[]): Promise<CommandResult> {
  let memories = 0;
  for (const id of ids) memories += await writer.vectors.removeAll(id);
  return {
    text: `The vectors of ${formatCount(memories, 'memory', 'memories')} are removed.`,
    json: { removed: memories },
  };
}

interface Making {
  readonly embeddings: EmbeddingsOptions;
  readonly context: Context;
}

async function makeVectors(
  writer: Writer,
  ids: readonly string[],
  { embeddings, context }: Making,
): Promise<CommandResult> {
  const endpoint = createEndpoint(embeddings);
  const { model } = embeddings;
  const coverageOf = async (account_id: string) =>
    writer.vectors.coverage({ account_id, model, cut: CUT });
  let total = 0;
  for (const id of ids) {
    const { memories, embedded } = await coverageOf(id);
    total += memories - embedded;
  }
  let [done, made] = [0, 0];
  const refused: string[] = [];
  const stopped = () =>
    `Stopped. ${formatCount(done, 'memory has', 'memories have')} got vectors. Run the same command again for the rest.`;
  await withProgress(context, { total, unit: 'memories', stopped }, async (progress) => {
    const onProgress = (more: number) => progress.to((done += more));
    for (const account_id of ids)
      made += await embedAccount({
        writer,
        endpoint,
        account_id,
        onProgress,
        onRefused: (id) => refused.push(id),
      });
  });
  const accounts = [];
  for (const id of ids) accounts.push({ id, ...(await coverageOf(id)) });
  const lines = accounts.map(
    ({ id, memories, embedded }) => `${id}: ${embedded} of ${memories} memories have vectors.`,
  );
  return {
    text: [
      `${formatCount(made, 'memory has', 'memories have')} got vectors of ${model}.`,
      ...lines,
    ].join('\n'),
    json: { model, made, accounts, ...(refused.length > 0 && { refused }) },
    ...(refused.length > 0 && { more: ofRefused(refused), exit: 1 }),
  };
}

/** Says of which memories the endpoint makes no vectors. */
function ofRefused(ids: readonly string[]): string {
  const many = formatCount(ids.length, 'memory', 'memories');
  return `The embeddings endpoint refuses the texts of ${many}, such as ${ids[0]}; its model may take shorter texts only, so give it a larger context, and run memory-gateway embed again.`;
}

interface Adding extends Making {
  readonly engine: Pick<Engine, 'withWriter'>;
}

/** Makes the vectors that accounts lack after an import, and adds what was done to its result. The import stays if that fails. */
export async function addVectors(
  imported: CommandResult,
  ids: Iterable<string>,
  { engine, embeddings, context }: Adding,
): Promise<CommandResult> {
  let embedded = 0;
  const problem = await withProgress(context, { total: 0, unit: 'memories' }, (progress) =>
    engine.withWriter((writer) =>
      tryToEmbed(ids, {
        writer,
        endpoint: createEndpoint(embeddings),
        onProgress: (more) => progress.to((embedded += more), 'vectors'),
      }),
    ),
  );
  const text = `${formatCount(embedded, 'memory has', 'memories have')} got vectors.`;
  return {
    ...imported,
    text: [imported.text, text].filter(Boolean).join('\n'),
    json: { ...(imported.json as object), embedded },
    ...(problem !== undefined && { more: problem }),
  };
}

/** Makes the vectors that accounts lack. Resolves with a sentence that says why some are still missing, or undefined. */
export async function tryToEmbed(
  ids: Iterable<string>,
  embedding: Omit<Embedding, 'account_id'>,
): Promise<string | undefined> {
  const refused: string[] = [];
  const onRefused = (id: string) => refused.push(id);
  try {
    for (const account_id of ids) await embedAccount({ ...embedding, account_id, onRefused });
    return refused.length === 0 ? undefined : ofRefused(refused);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `Some memories have no vectors yet. ${error.message} Then run memory-gateway embed.`;
  }
}
