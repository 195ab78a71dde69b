// Details: what a file states besides the fields of a memory, in the form of the contract.

import type { ReadDetails } from '../contract/schemas/details.ts';
import { isPathBelow } from '../lib/below.ts';
import { speakerName } from '../text/speaker.ts';
import { isPresent } from './field-schemas.ts';
import { hasTime, readAsUtc, readProductTime, type MaybeTime } from './time/product-time.ts';
import { toOneLine, type Transcript } from './turns/turns.ts';

type MaybeText = string | null | undefined;

/** A person whom a file names besides the speakers of lines, or whose address it knows. */
export interface DraftPerson {
  readonly name?: MaybeText;
  readonly email?: MaybeText;
  /** Default: attendee. */
  readonly role?: 'attendee' | 'organiser';
}

/** Something to do that a file has. */
export interface DraftActionItem {
  readonly text?: MaybeText;
  readonly owner?: MaybeText;
  readonly due?: MaybeTime;
  readonly done?: boolean | null | undefined;
  /** Where it was said, in seconds from the start of the memory. */
  readonly start?: number | null | undefined;
}

/** What a file states besides the fields of a memory. What it does not state is missing. */
export interface DraftDetails {
  /** The product, if it is not the one of the format. */
  readonly product?: string | undefined;
  /** The product's id, if it is not the one of the draft. */
  readonly id?: string | number | null | undefined;
  /** The address of the recording in the product. */
  readonly url?: MaybeText;
  readonly language?: MaybeText;
  /** The address of the sound, or its path below the folder with all recordings. */
  readonly audio?: MaybeText;
  readonly people?: readonly DraftPerson[] | undefined;
  readonly folders?: readonly MaybeText[] | undefined;
  readonly tags?: readonly MaybeText[] | undefined;
  readonly isStarred?: boolean | null | undefined;
  readonly chapters?: readonly ChapterAt[] | undefined;
  readonly action_items?: readonly DraftActionItem[] | undefined;
}

interface ChapterAt {
  readonly title?: MaybeText;
  /** Where it begins, in seconds from the start of the memory. */
  readonly start?: number | null | undefined;
}

/** The products of formats that have another name. `null`: any program writes such files. */
const PRODUCTS: Readonly<Record<string, string | null>> = {
  memory: null,
  vtt: null,
  srt: null,
  sbv: null,
  segments: null,
  'bee-sync': 'bee',
  'fathom-text': 'fathom',
  'granola-cache': 'granola',
  'granola-csv': 'granola',
  'limitless-export': 'limitless',
  'named-text': null,
  'otter-api': 'otter',
  'otter-text': 'otter',
  'plaud-api': 'plaud',
  'plaud-transcript': 'plaud',
  'speech-results': null,
  'timed-text': null,
  'zoom-captions': 'zoom',
  'zoom-chat': 'zoom',
};

/** Returns the product that a format is of. `null`: any program writes it. */
export function productOf(format: string): string | null {
  return format in PRODUCTS ? (PRODUCTS[format] ?? null) : format;
}

/** What is known of a draft besides its details. */
interface Known {
  readonly format: string;
  /** The product's id. `undefined` if the id comes from the name of the file. */
  readonly id: string | number | undefined;
  readonly transcript: Transcript;
}

/** Converts details to the form of the contract: every field is there, unknown ones are null. */
export function toReadDetails(
  details: DraftDetails,
  { format, id, transcript }: Known,
): ReadDetails {
  const { line_starts_ms, speakers } = transcript;
  const sourceId = details.id ?? id;
  const lineAt = createLineFinder(line_starts_ms);
  return {
    source: {
      product: details.product ?? productOf(format),
      format,
      id: isPresent(sourceId) ? textOf(String(sourceId)) : null,
      url: linkOf(details.url),
    },
    language: textOf(details.language),
    line_starts_ms: line_starts_ms === null ? null : [...line_starts_ms],
    audio: linkOf(details.audio) ?? pathOf(details.audio),
    people: peopleOf(details.people ?? [], speakers),
    tags: tagsOf(details),
    chapters: (details.chapters ?? []).flatMap(({ title, start }) => {
      const named = textOf(title);
      return named === null ? [] : [{ title: named, line: lineAt(start) }];
    }),
    action_items: (details.action_items ?? []).flatMap(({ text, owner, due, done, start }) => {
      const named = textOf(text);
      if (named === null) return [];
      return [
        {
          text: named,
          owner: nameOf(owner),
          due: dueOf(due),
          done: done ?? null,
          line: lineAt(start),
        },
      ];
    }),
  };
}

/** Removes the addresses of people, and people of whom only the address is known. A speaker's label stays. */
export function withoutEmails(details: ReadDetails): ReadDetails {
  return {
    ...details,
    people: details.people
      .filter(({ name, role }) => role === 'speaker' || !EMAIL.test(name))
      .map(({ email: _, ...person }) => person),
    action_items: details.action_items.map((item) => ({
      ...item,
      owner: EMAIL.test(item.owner ?? '') ? null : item.owner,
    })),
  };
}

const EMAIL = /^\S{1,200}@\S{1,200}$/;

/** What somebody says who is no speaker. */
const SILENT = { lines: 0, words: 0, speaking_ms: null };

type Person = ReadDetails['people'][number];

/** Returns a person with the properties in the order of the contract. */
function personOf({ name, role, lines, words, speaking_ms }: Person): Person {
  return { name, role, lines, words, speaking_ms };
}

/** Returns the speakers, then the others. A name is there once: who speaks is a speaker. */
function peopleOf(
  named: readonly DraftPerson[],
  speakers: Transcript['speakers'],
): ReadDetails['people'] {
  const people = new Map(
    speakers.map(({ name, ...share }) => [name, personOf({ name, role: 'speaker', ...share })]),
  );
  const byEmail = new Map<string, string>();
  // An address alone can be that of a person whose name stands elsewhere.
  const inOrder = named.toSorted((a, b) => Number(!textOf(a.name)) - Number(!textOf(b.name)));
  for (const { name, email, role = 'attendee' } of inOrder) {
    const address = EMAIL.test(email ?? '') ? textOf(email) : null;
    const known = nameOf(name) ?? byEmail.get(address ?? '') ?? address;
    if (known === null) continue;
    const person = people.get(known) ?? personOf({ ...SILENT, name: known, role });
    if (role === 'organiser' && person.role === 'attendee') person.role = role;
    if (address !== null) {
      person.email ??= address;
      byEmail.set(address, known);
    }
    people.set(known, person);
  }
  return [...people.values()];
}

function tagsOf({ folders = [], tags = [], isStarred }: DraftDetails): ReadDetails['tags'] {
  return [
    ...namesOf(folders).map((name) => ({ name, kind: 'folder' as const })),
    ...namesOf(tags).map((name) => ({ name, kind: 'tag' as const })),
    ...(isStarred === true ? [{ name: 'starred', kind: 'star' as const }] : []),
  ];
}

/** Returns each name once. */
function namesOf(names: readonly MaybeText[]): string[] {
  return [...new Set(names.flatMap((name) => textOf(name) ?? []))];
}

/** Creates a function that returns the number of the line at a time: the last one that has begun by then. */
function createLineFinder(starts: Transcript['line_starts_ms']) {
  return (seconds: number | null | undefined): number | null => {
    if (!isPresent(seconds) || starts === null) return null;
    // Products cut the times of chapters to whole seconds.
    const until = seconds * 1000 + 999;
    const last = starts.findLastIndex((start) => start !== null && start <= until);
    return (last === -1 ? starts.findIndex((start) => start !== null) : last) + 1;
  };
}

/** Returns a text on one line, or `null` if it is missing or empty. */
function textOf(text: MaybeText): string | null {
  return toOneLine(text).toWellFormed() || null;
}

/** Returns the name of a person as transcripts have it, or `null`. */
function nameOf(name: MaybeText): string | null {
  return speakerName(textOf(name) ?? '') || null;
}

/** Returns an address of the web, or `null`. Nothing else is safe to follow. */
function linkOf(text: MaybeText): string | null {
  const link = textOf(text);
  return link !== null && /^https?:\/\/\S+$/i.test(link) ? link : null;
}

/** Returns the path of a file below a folder that its owner can name, or `null`. */
function pathOf(text: MaybeText): string | null {
  const path = textOf(text);
  return path !== null && isPathBelow(path) ? path : null;
}

/** Returns when something is due, as the product writes it. Numbers become timestamps. */
function dueOf(due: MaybeTime): string | null {
  if (!hasTime(due)) return null;
  if (typeof due === 'string') return textOf(due);
  const time = readProductTime(due, readAsUtc);
  return time === undefined ? null : new Date(time).toISOString();
}
