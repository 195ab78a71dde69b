// The type of a source: how a product's API is asked for recordings, as data.

import type { ItemFormat, JsonObject } from '../formats/format.ts';

/** A request to a product. The engine adds the base URL, the credential and `accept`. */
export interface SourceRequest {
  /** The path below the base URL, with encoded parts: `/v1/lifelogs`. */
  readonly path: string;
  /** Parameters of the query. Undefined values are left out, and a list repeats its parameter. */
  readonly query?: Readonly<Record<string, Parameter | readonly string[] | undefined>>;
  /** A JSON body makes the request a POST, as GraphQL needs it. */
  readonly body?: JsonObject;
  /** For details: statuses that mean what 404 means, that there is nothing here. */
  readonly missing?: readonly number[];
}

type Parameter = string | number | boolean;

/** The position at which a list continues. */
export interface SourcePosition {
  /** The `next` of the page before; undefined for the first page. */
  readonly cursor: string | undefined;
  /** Only items of this time or later, in milliseconds since 1970; undefined for all. */
  readonly since: number | undefined;
  /** Only items before this time; undefined for all. The engine skips newer items of sources without `takesUntil`. */
  readonly until: number | undefined;
}

/** A response. */
export interface ProductReply {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON. */
  readonly body: unknown;
}

/** A page of a list or a feed. */
export interface ProductPage {
  readonly items: readonly JsonObject[];
  /** The ids of items that were deleted at the product, if its API says so. */
  readonly deleted?: readonly string[];
  /** The cursor of the next page. A list ends without one; a feed has one for the next run, too. */
  readonly next: string | undefined;
  /** For a feed: whether there is nothing more now. */
  readonly isEnd?: boolean;
}

/** A product whose API is requested again and again for new items. */
export interface Source {
  /** The name for the command line. */
  readonly name: string;
  /** The product and its word for recordings. */
  readonly product: string;
  /** The documents that this file was written from. */
  readonly documents: readonly string[];
  /** The base URL without a slash at its end; undefined for products that people host themselves. */
  readonly url: string | undefined;
  /** The environment variable of the credential, and how it is sent. Undefined if the API takes none. */
  readonly credential: Credential | undefined;
  /** Reads the items, as `import` does. */
  readonly format: ItemFormat;
  /**
   * How the API lists items. `oldest first` and `newest first` are orders by `timeOf`. `feed` has changes
   * in their order, deletions included, and a cursor that lasts.
   */
  readonly order: 'oldest first' | 'newest first' | 'feed';
  /** Whether pages are numbered, or begin at an offset. Then items move between them when others are deleted. */
  readonly isByPosition?: boolean;
  /**
   * Whether `list` takes `until`. Then pages by position are requested by time. Without it, a list by position needs
   * `versionOf`, so that an interrupted run knows what it has read.
   */
  readonly takesUntil?: boolean;
  /** The request for a page. */
  readonly list: (at: SourcePosition) => SourceRequest;
  /** Reads a page with a schema. Throws `ValiError` if it is not as documented. */
  readonly readPage: (reply: ProductReply, at: SourcePosition) => ProductPage;
  /** The product's id of an item, or `''`: then the importer rejects it. Default: the field `id`. */
  readonly idOf?: (item: JsonObject) => string;
  /** The time by which the API lists and filters items, in milliseconds since 1970. */
  readonly timeOf: (item: JsonObject) => number | undefined;
  /** How many days back each run looks for items that have changed or were uploaded late. Default: 7. */
  readonly lookBackDays?: number;
  /** A text that changes with the item. If it has not changed since the last run, the item is not loaded again. */
  readonly versionOf?: (item: JsonObject) => string | undefined;
  /** The requests for the parts that a list leaves out, such as the transcript. */
  readonly details?: (item: JsonObject) => readonly SourceRequest[];
  /** The next request for an item, which depends on the responses so far, such as the next page of a transcript. */
  readonly more?: (item: JsonObject, replies: readonly unknown[]) => SourceRequest | undefined;
  /** Joins an item with the responses to `details`; undefined stands for a 404. Default: the only response. Undefined leaves the item out. */
  readonly join?: (item: JsonObject, replies: readonly unknown[]) => unknown;
  /** Whether a page is imported as one file, for products that split a recording into several items. */
  readonly isGrouped?: boolean;
  /** How long a 429 without `retry-after` asks to wait, in milliseconds. Default: as long as after other failures. */
  readonly waitMs?: number;
  /** The request for one item: a 404 confirms that it was deleted. Without it, a second list must agree. */
  readonly one?: (id: string) => SourceRequest;
  /** Finds an error in the body of a response of any status, as GraphQL has it. */
  readonly problemIn?: (body: unknown) => Problem | undefined;
}

/** How a credential is sent. */
export interface Credential {
  readonly variable: string;
  /** Where people get one, behind "From": `Settings → Developer in the Omi app`. */
  readonly place?: string;
  /** Whether the API may be open, so that a request without a credential is tried. */
  readonly isOptional?: boolean;
  /** Returns the name and the value of the header. Default: a bearer token. */
  readonly header?: (secret: string) => readonly [name: string, value: string];
  /** Whether it expires before the next run, so that somebody must renew it for each. */
  readonly isShortLived?: boolean;
  /** For credentials that expire soon: for how long they are valid, and where to read how to get new ones. */
  readonly renewal?: string;
}

/** An error that a response states in its body. */
export interface Problem {
  readonly kind: 'credential' | 'busy' | 'response';
  /** The product's code for the error, to show it: `paid_required`. */
  readonly code?: string;
  /** How long to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}
