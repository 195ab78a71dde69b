// Twins: two accounts that differ only in what a scope hides. A key with that scope must get the same from both.

import { hash } from 'node:crypto';

import type { ReadDetails } from '../../../src/contract/schemas/details.ts';
import type { Memory } from '../../../src/contract/schemas/memory.ts';
import type { GivenDetails } from '../../../src/store/details/details-row.ts';
import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { NO_SCOPE, type Scope } from '../../../src/store/scope.ts';
import type { WireAnswer } from '../wire/wire.ts';
import { fullDetails, person } from './details.ts';
import { memory, type World } from './world.ts';

/** A word that only hidden text has. */
export const SECRET = 'xylograph';

/** What the tests look for in any response: the word, and other words that stand beside it. */
export const HIDDEN = /xylograph|quartzite|zeppelin/i;

const DAY = 86_400_000;

/** A Tuesday at noon, so that a week has days before and after it. */
export const MIDDLE = Date.parse('2026-03-10T12:00:00.000Z');

/** What the scope of twins hides. */
export interface TwinKind {
  readonly name: string;
  readonly scope: Scope;
  /** The memories of the account with the secret, and of the other. */
  readonly memories: readonly [readonly Memory[], readonly Memory[]];
  /** Whether it is of memories in a window, whose ids begin with `in` and `out`. */
  readonly isWindow: boolean;
}

function at(days: number): string {
  return new Date(MIDDLE + days * DAY).toISOString();
}

/** Memories in four weeks whose transcripts have the secret, or something else of another length. */
function spoken(isSecret: boolean): Memory[] {
  return Array.from({ length: 12 }, (_, i) =>
    memory({
      id: `m${i}`,
      started_at: at(i * 2),
      name: i === 3 ? 'Garden plan' : `Meeting ${i}`,
      is_processing: i === 11,
      summary:
        i === 11
          ? { quick_summary: '', key_takeaways: [] }
          : { quick_summary: `Roses and item ${i}.`, key_takeaways: [`Water plot ${i}`] },
      transcript: isSecret
        ? `Mira: The ${SECRET} is blue.\nTomas: A zeppelin of quartzite, number ${i}.`
        : `Mira: Nothing here.\n${'Tomas: Hm.\n'.repeat(i)}Mira: Bye.`,
    }),
  );
}

/** Three memories in a window, which begins and ends within a week. */
const inside = [0, 1, 2].map((days) =>
  memory({
    id: `in${days}`,
    started_at: at(days),
    name: 'Inside plan',
    transcript: `Mira: Roses, day ${days}.`,
  }),
);

/** Memories around the window, with the secret in every text. Some start at its very ends. */
const outside = [-30, -1, -0.001, 3, 3.5, 40].map((days, i) =>
  memory({
    id: `out${i}`,
    started_at: at(days),
    name: `The ${SECRET} ${i}`,
    is_processing: false,
    duration_seconds: 600,
    summary: { quick_summary: `A zeppelin ${i}.`, key_takeaways: ['Roses of quartzite'] },
    transcript: `Mira: The ${SECRET} and roses ${i}.`,
  }),
);

/** The same between those of the window and around them, so that no time tells them apart. */
const between = outside.map((each, i) => ({ ...each, started_at: at(i / 2), ended_at: at(i / 2) }));

/** The sources and tags of these, each of which lacks something of the window's. */
const LACKING: readonly Partial<ReadDetails>[] = [
  { tags: [] },
  { tags: [{ name: 'Work', kind: 'tag' }] },
  { tags: [{ name: 'Client A', kind: 'star' }] },
  { source: { product: 'omi', format: 'omi', id: null, url: null } },
  {
    tags: [
      { name: 'Work 2', kind: 'tag' },
      { name: 'Client', kind: 'tag' },
    ],
  },
];

/** The tags of the memories in the window, one of them written in two ways. */
const TAGS = [
  { name: 'work', kind: 'folder' },
  { name: 'WÓRK', kind: 'tag' },
  { name: 'Client A', kind: 'star' },
  { name: 'Garden', kind: 'tag' },
] as const;

/** Returns what is known of a memory besides: outside of the window with the secret in every text, or nothing. */
function detailsOf({ id }: Memory): GivenDetails | undefined {
  if (id === 'out5' || id.startsWith('m')) return undefined;
  const isInside = id.startsWith('in');
  const word = isInside ? 'roses' : SECRET;
  const details = fullDetails(
    {
      tags: [...TAGS, ...(isInside ? [] : [{ name: SECRET, kind: 'tag' as const }])],
      people: [person('Mira'), person(isInside ? 'Tomas' : `Zeppelin ${id}`)],
      chapters: [{ title: `On ${word}`, line: 1 }],
      action_items: [{ text: `Water ${word}`, owner: 'Mira', due: null, done: false, line: 1 }],
      ...(isInside ? {} : LACKING[Number(id.at(-1))]),
    },
    `original of ${word} ${id}`,
  );
  return { ...details, imported_at: MIDDLE };
}

/** All kinds of twins. */
export const twinKinds: readonly TwinKind[] = [
  {
    name: 'summaries',
    scope: { ...NO_SCOPE, reads: 'summaries' },
    memories: [spoken(true), spoken(false)],
    isWindow: false,
  },
  {
    name: 'a window',
    scope: { ...NO_SCOPE, started_after: MIDDLE, started_before: MIDDLE + 3 * DAY },
    memories: [[...outside.slice(0, 3), ...inside, ...outside.slice(3)], inside],
    isWindow: true,
  },
  {
    name: 'summaries in a window',
    scope: {
      ...NO_SCOPE,
      reads: 'summaries',
      started_after: MIDDLE,
      started_before: MIDDLE + 3 * DAY,
    },
    memories: [
      [...outside, ...inside],
      inside.map((each) => ({ ...each, transcript: 'Mira: Hm.' })),
    ],
    isWindow: true,
  },
  {
    name: 'a source and tags',
    scope: { ...NO_SCOPE, source: 'Limitless', tags: ['Work', 'client a'] },
    memories: [[...between.slice(0, 3), ...inside, ...between.slice(3)], inside],
    isWindow: true,
  },
  {
    name: 'summaries with a tag in a window',
    scope: { ...NO_SCOPE, reads: 'summaries', started_before: MIDDLE + 3 * DAY, tags: ['garden'] },
    memories: [
      [...inside, ...between.filter((_, i) => i !== 3)],
      inside.map((each) => ({ ...each, transcript: 'Mira: Hm.' })),
    ],
    isWindow: true,
  },
];

/** The keys of twins: of a scope, and of everything. */
export interface Twins {
  readonly scoped: readonly [string, string];
  readonly whole: readonly [string, string];
}

/** Creates twins, `ana` with the secret and `eve` without it, whose ids are equally long. */
export function createTwins(world: World, { scope, memories }: TwinKind): Twins {
  const add = (id: string, list: readonly Memory[]) => {
    const key = world.addAccount(id);
    world.writer.memories.putReady(list.map((each) => prepareMemory(id, each, detailsOf(each))));
    return key;
  };
  const [ana, eve] = [add('ana', memories[0]), add('eve', memories[1])];
  return {
    whole: [ana, eve],
    scoped: [world.addKey('ana', null, scope).key, world.addKey('eve', null, scope).key],
  };
}

/** Returns a text without what differs between any two accounts: their ids, and when they were written. */
export function withoutAccount(text: string): string {
  return text
    .replaceAll(/"(user_id|account_id)":"(ana|eve)"/g, '"$1":"…"')
    .replaceAll(/"changed_at":"[^"]*"/g, '"changed_at":"…"')
    .replaceAll(/"now":"[^"]*"/g, '"now":"…"');
}

/** Returns what a caller sees of a response and can compare: all but times, ids of requests and opaque marks. */
export function seen({ status, headers, text, body }: WireAnswer) {
  const { link = '', etag, 'content-length': length, 'content-encoding': encoding } = headers;
  return {
    status,
    // Encoded bytes are as good as their length, which depends on what they say.
    text: encoding === undefined ? withoutAccount(text) : hash('sha256', String(body.length)),
    link: link.replaceAll(/(cursor|since)=[\w-]+/g, '$1=…'),
    hasEtag: etag !== undefined,
    length: encoding === undefined ? length : undefined,
    names: Object.keys(headers).toSorted(),
  };
}
