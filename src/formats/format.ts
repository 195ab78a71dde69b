// Format: how the recordings of a product look from outside, and what of them becomes a memory.

import type * as v from 'valibot';

import type { MaybeTime } from './time.ts';

/** What a product says of a recording; what is left out is derived, and never made up. */
export interface Draft {
  /** The product's own id, whatever its grammar. */
  readonly id: string | number;
  readonly name?: string | null | undefined;
  readonly started_at?: MaybeTime;
  readonly ended_at?: MaybeTime;
  readonly duration_seconds?: number | null | undefined;
  readonly is_processing?: boolean | null | undefined;
  readonly quick_summary?: string | null | undefined;
  readonly key_takeaways?: readonly string[] | undefined;
  /** What was said: a turn a line, `Name: text`, as `turns.ts` makes it. */
  readonly transcript: string;
  /** The account, where the product knows accounts of ours. */
  readonly account_id?: string | undefined;
  /** Fields of a memory beyond these, as a later contract may have them. */
  readonly further?: Item;
}

/** What is no memory by its nature, as a screenshot, and why; it is counted, and not missed. */
export interface PassedOver {
  readonly passed_over: string;
}

/** What stands aside among items that make a memory together: no memory by its nature, or broken. */
export type Aside = PassedOver | { readonly reason: string };

/** An object as JSON has it, unchecked. */
export type Item = Readonly<Record<string, unknown>>;

/** A format whose recordings are items of JSON. */
export interface ItemFormat {
  readonly name: string;
  /** The product, and what it calls a recording. */
  readonly product: string;
  /** Where its API and exports put items, one or many: `data.lifelogs`. A bare item, an array and lines are read anyway. */
  readonly inside: readonly string[];
  /** Tells an item by the names in it, well enough to know it among all formats. */
  readonly fits: (item: Item) => boolean;
  /** Checks an item, and takes what there is of it. */
  readonly item: v.GenericSchema<unknown, Draft | PassedOver>;
  /**
   * Where a memory is several items that follow one another: tells whether an item goes on with the
   * memory of the one before it. `item` then checks an array of them.
   */
  readonly joins?: (before: Item, item: Item) => boolean;
  /** Tells beside `joins` what is part of no memory; it does not end the memory in which it stands. */
  readonly aside?: (item: Item) => Aside | undefined;
}

/** What is known of a text beside its words. */
export interface About {
  /** The name of its file, with the folders below the one that was named: `team/2026-11-18 Stand-up.vtt`. */
  readonly name: string;
  /** When the recording began, as told by the caller, the file's name, or the file's date. */
  readonly started_at: MaybeTime;
}

/** A format whose files are texts, one recording each. */
export interface TextFormat {
  readonly name: string;
  readonly product: string;
  /** Tells a file by how it begins. */
  readonly begins: (head: string) => boolean;
  /** Reads a text, never throws: the reason where it is none of this format. */
  readonly read: (text: string, about: About) => Draft | { readonly reason: string };
}
