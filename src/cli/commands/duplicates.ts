// duplicates: lists pairs of memories of the same recording, such as from two products.

import type { Api } from '../../contract/api.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { commandOn } from '../../store/address.ts';
import { saidWords, shareOf } from '../../store/import/same-recording.ts';
import type { Command } from '../command.ts';
import { withProgress, type Progress } from '../output/progress.ts';
import { formatCount, formatName, formatTable, formatTime, type Columns } from '../output/text.ts';
import { callAsAccount } from './accounts/account-api.ts';

/** The share of equal words from which two memories are of one recording. Two talks of one hour share less than 0.1. */
const SAME = 0.5;

/** A transcript with fewer pairs of words proves nothing: "Yes. Thank you." is in many. */
const FEWEST_PAIRS = 10;

/** With how many memories each is compared. Of those that overlap it, the last to start come first. */
const MOST_COMPARED = 100;

const FIELDS = ['name', 'started_at', 'ended_at'] as const;

type Listed = Pick<Memory, 'id' | (typeof FIELDS)[number]>;

/** A memory of a pair. */
type Twin = Listed & { readonly source: string | null };

/** Two memories of the same recording. */
interface Pair {
  /** How much of the shorter transcript the other one has, from 0 to 1. */
  readonly equal: number;
  readonly memories: readonly [Twin, Twin];
}

/** Lists pairs of memories of the same recording. */
export const duplicatesCommand: Command = {
  summary: 'List memories of the same recording',
  about:
    'Compares memories whose times overlap by their words, and lists each pair with at least half of the words of the shorter one in common. Each memory is compared with the last 100 that overlap it. Nothing is deleted.',
  options: ['database', 'account', 'json'],
  overrides: { account: { unset: 'the only account' } },
  examples: [['What two products have recorded', 'memory-gateway duplicates --account mira']],
  run: async (args, context) => {
    const { pairs, crowded, account } = await withProgress(
      context,
      { total: 0, unit: 'memories' },
      (progress) =>
        callAsAccount(args, async (api, id) => ({
          ...(await findPairs(api, progress)),
          account: id,
        })),
    );
    const words = `memories delete ID --account ${account}`;
    const notes = [
      crowded > 0 &&
        `${formatCount(crowded, 'memory overlaps', 'memories overlap')} more than ${MOST_COMPARED} others: only the last ${MOST_COMPARED} to start were compared.`,
      pairs.length > 0 &&
        `Nothing was deleted. To delete one of a pair, run: ${commandOn(args.need('database'), words)}`,
    ].filter((note) => note !== false);
    const rows = pairs.flatMap(({ equal, memories: [first, second] }) => [
      { ...first, equal: `${Math.round(equal * 100)} %` },
      { ...second, equal: '' },
    ]);
    return {
      text:
        rows.length === 0
          ? 'No two memories are of the same recording.'
          : formatTable(rows, COLUMNS),
      json: pairs.map(({ equal, memories }) => ({ equal: Number(equal.toFixed(2)), memories })),
      ...(notes.length > 0 && { note: notes.join('\n') }),
    };
  },
};

const COLUMNS: Columns<Twin & { readonly equal: string }> = {
  EQUAL: ({ equal }) => equal,
  STARTED: ({ started_at }) => formatTime(Date.parse(started_at)),
  SOURCE: ({ source }) => source ?? '',
  ID: ({ id }) => id,
  NAME: ({ name }) => formatName(name),
};

/** A memory that has not ended when the next one starts. */
interface Running {
  readonly memory: Listed;
  /** Which words follow one another. Undefined: not read yet. */
  words?: ReadonlySet<string>;
}

/**
 * Finds the pairs of an account, and how many memories are `crowded`: not compared with all that overlap them. Only
 * transcripts of memories that overlap are read, and held while they do.
 */
async function findPairs(api: Api, progress: Progress) {
  const pairs: Pair[] = [];
  let [crowded, leftUntil] = [0, ''];
  const wordsOf = async (each: Running) =>
    (each.words ??= await readPairsOfWords(api, each.memory));
  let running: Running[] = [];
  let done = 0;
  for await (const memory of api.memories.each({ fields: FIELDS, order: 'asc', limit: 1000 })) {
    running = running.filter((each) => each.memory.ended_at >= memory.started_at);
    for (const { memory: left } of running.splice(0, Math.max(0, running.length - MOST_COMPARED)))
      if (left.ended_at > leftUntil) leftUntil = left.ended_at;
    if (leftUntil >= memory.started_at) crowded++;
    const here: Running = { memory };
    for (const other of running) {
      const [some, others] = [await wordsOf(other), await wordsOf(here)];
      if (Math.min(some.size, others.size) < FEWEST_PAIRS) continue;
      const equal = shareOf(some, others);
      if (equal < SAME) continue;
      const memories = [
        await withSource(api, other.memory),
        await withSource(api, memory),
      ] as const;
      pairs.push({ equal, memories });
    }
    running.push(here);
    progress.to((done += 1));
  }
  return { pairs, crowded };
}

async function readPairsOfWords(api: Api, { id }: Listed): Promise<ReadonlySet<string>> {
  const { transcript } = await api.memories.get({ memory_id: id, fields: ['transcript'] });
  const words = saidWords(transcript).split(' ');
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));
}

async function withSource(api: Api, memory: Listed): Promise<Twin> {
  const { source } = await api.memories.details({ memory_id: memory.id });
  return { ...memory, source: source.product ?? source.format };
}
