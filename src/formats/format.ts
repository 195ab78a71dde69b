// Types of the import formats: how to recognise a product's files, and how to convert them.

import type * as v from 'valibot';

import type { Details, ReadDetails } from '../contract/schemas/details.ts';
import type { Awaitable } from '../lib/async.ts';
import type { DraftDetails } from './details.ts';
import type { MaybeTime, ReadLocal } from './time/product-time.ts';
import type { Transcript } from './turns/turns.ts';

/** The facts that a product states about a recording. Missing fields are derived from others, never invented. */
export interface Draft {
  /** The product's own id, in any grammar. */
  readonly id: string | number;
  readonly name?: string | null | undefined;
  readonly started_at?: MaybeTime;
  readonly ended_at?: MaybeTime;
  readonly duration_seconds?: number | null | undefined;
  /** Whether its start was derived from the last change of its file. */
  readonly is_dated_by_file?: boolean;
  readonly is_processing?: boolean | null | undefined;
  readonly quick_summary?: string | null | undefined;
  readonly key_takeaways?: readonly string[] | undefined;
  /** The conversation, with one turn per line: `Name: text`. `toTranscript` makes it. */
  readonly transcript: Transcript;
  /** Why it has no transcript, and how to get one. Such an item is rejected unless notes alone are wanted. */
  readonly lacks?: string | undefined;
  /** What the file states besides. Speakers and times of lines are in the transcript. */
  readonly details?: DraftDetails | undefined;
  /** The details as our own format has them, which count instead. */
  readonly own_details?: ReadDetails | undefined;
  readonly history?: History | undefined;
  /** Whether its id comes from the name of its file. */
  readonly has_file_id?: boolean;
  /** The account id, if the file has one. Only our own format does. */
  readonly account_id?: string | undefined;
  /** Other fields of a memory, which a later version of the contract can add. */
  readonly extra?: JsonObject;
}

/** What an export says of the history of a memory: when it was imported first, and what was put right in it. */
export interface History extends Pick<Details, 'corrections'> {
  readonly imported_at: string | null | undefined;
}

/** A draft that leaves its id and its start to its file, as captions do. Without a name, it has the name of the file. */
export type FileDraft = Omit<Draft, 'id' | 'started_at'> & { readonly id?: undefined };

/** The reason to skip an item that is not a recording, such as a screenshot. Skipped items are counted. */
export interface Skipped {
  readonly skipped: string;
}

/** A part of a memory that a product gives in a file of its own, such as the transcript of a meeting. */
export interface Part {
  /** The id that the parts of a memory share. If it is missing, they share the folder of their files. */
  readonly id?: string | number | undefined;
  /** What it is among the parts of its memory: `transcript`. */
  readonly role: string;
  /** Its content, validated. */
  readonly value: JsonObject;
}

/** How the parts of a memory become one. */
export interface JoinRule {
  /** The name of the format. */
  readonly format: string;
  /**
   * Makes a draft of the parts of one memory, which are given by role. `id` is what they share: an id,
   * or the path of a folder. The result does not depend on the order of files.
   */
  readonly join: (
    id: string,
    parts: Readonly<Record<string, unknown>>,
  ) => Draft | Skipped | { readonly reason: string };
}

/** The parts that an item has. They wait until all files of an import are read. */
export interface Parts {
  readonly parts: readonly Part[];
  readonly rule: JoinRule;
}

/** Why an item is left out of a group of items that make one memory: skipped, or rejected. */
export type Exclusion = Skipped | { readonly reason: string };

/** A JSON object that is not validated yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A format whose recordings are JSON objects. */
export interface ItemFormat {
  readonly name: string;
  /** How the parts of a memory become one, if its items have parts. */
  readonly rule?: JoinRule;
  /** The product and its word for recordings. */
  readonly product: string;
  /** Property paths of one or many items in the product's API and exports, as in `data.lifelogs`. Bare items, arrays and JSON Lines need no path. */
  readonly paths: readonly string[];
  /** The columns that show that a table has items of this format in its rows, each with the names that it can have. */
  readonly columns?: readonly (readonly string[])[];
  /** Whether an item is of this format and of no other, judged by its property names. */
  readonly matches: (item: JsonObject) => boolean;
  /** Whether an item that no format matches looks like this one, so that its schema can say what it lacks. */
  readonly resembles?: (item: JsonObject) => boolean;
  /** Validates an item and converts it to a draft, or to parts of drafts. A file can have only one `FileDraft`. */
  readonly item: v.GenericSchema<unknown, Draft | FileDraft | Parts | Skipped>;
  /**
   * For products that split a recording into several items: whether `item` belongs to the same memory
   * as the item before it. The property `item` then validates an array of items.
   */
  readonly continues?: (before: JsonObject, item: JsonObject) => boolean;
  /** With `continues`: finds items that belong to no memory. They do not end the memory around them. */
  readonly exclude?: (item: JsonObject) => Exclusion | undefined;
}

/** Facts about a text file besides its text. */
export interface FileInfo {
  /** The file's path below the folder that was passed: `team/2026-11-18 Stand-up.vtt`. */
  readonly name: string;
  /** When the recording began: from the caller, the file's name, or the file's date. */
  readonly started_at: MaybeTime;
  /** Who says when it began: the caller, or the name of the file or of a folder. Otherwise it is the time of the last change. */
  readonly dated_by?: 'caller' | 'name' | undefined;
  /** Its name with the folders above it, if they are known. The caller may have passed any of them. */
  readonly fullName?: string | undefined;
  /** Converts local times, as in `--timezone`. Default: they are UTC. */
  readonly local?: ReadLocal;
}

/** What a text becomes: a draft, parts of drafts, or the reason to reject or skip it. */
export type TextResult = Draft | Parts | Skipped | { readonly reason: string };

/** Reads a text line by line, so that a long file is not held in memory. Never throws. */
export interface LineReader {
  readonly add: (line: string) => void;
  /** Returns the result when all lines were added. */
  readonly end: () => TextResult;
}

interface TextFormatBase {
  readonly name: string;
  readonly product: string;
  /** Whether a file with this beginning and this name is of this format. */
  readonly matches: (head: string, name: string) => boolean;
}

/** A format of short texts, which are read as a whole. */
export interface WholeTextFormat extends TextFormatBase {
  /** Whether Word documents can be of this format. They are converted to text. */
  readonly inDocuments?: boolean;
  /** Converts a text. Never throws or rejects. */
  readonly read: (text: string, about: FileInfo) => Awaitable<TextResult>;
}

/** A format of texts that can be long. */
export interface LineTextFormat extends TextFormatBase {
  readonly readLines: (about: FileInfo) => LineReader;
}

/** A format whose files are texts with one recording each. */
export type TextFormat = WholeTextFormat | LineTextFormat;
