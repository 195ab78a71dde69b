// Loads the items of a page: only those that are new or changed, with their details.

import * as v from 'valibot';

import type { JsonObject } from '../formats/format.ts';
import { isJsonObject } from '../formats/json/unwrap.ts';
import { addressIn, isProblem, SourceFailure } from './failure.ts';
import { idIn } from './page-fields.ts';
import { sendToProduct, stopIfAsked, type ProductTarget } from './product-request.ts';
import type { ProductReply, Source, SourceRequest } from './source.ts';

/** Far more requests than an item needs. A product that always has another page must not stop a run. */
const MOST_REQUESTS = 1000;

/** An item to import, as the file that `import` would read. */
export interface PulledItem {
  readonly id: string;
  readonly text: string;
}

/** The items of a page that are to be imported. */
export interface LoadedItems {
  readonly items: readonly PulledItem[];
  /** How many items have not changed since the last run, and were not loaded. */
  readonly unchanged: number;
  /** How many items were left out, because they are not ready yet. The next run asks for them again. */
  readonly unready: number;
  /** The items that the product cannot give, each with why. */
  readonly failed: readonly FailedItem[];
}

/** An item that the product lists but cannot give. */
export interface FailedItem {
  readonly id: string;
  readonly reason: string;
}

/** What is imported. Of anything else, an import would find nothing, and say nothing. */
const Item = v.custom<JsonObject>(isJsonObject);

/** How many items may fail one after another. More of them, and the product has a fault that passes. */
const MOST_FAILED = 2;

/** Loads the items that are new or changed, with their details. */
export async function loadItems(
  target: ProductTarget,
  items: readonly JsonObject[],
  seen: Map<string, string>,
): Promise<LoadedItems> {
  const { source } = target;
  const loaded: { readonly id: string; readonly value: unknown }[] = [];
  const failed: FailedItem[] = [];
  let failedInRow = 0;
  let unchanged = 0;
  let unready = 0;
  for (const item of items) {
    stopIfAsked(target);
    const id = idOf(target, item);
    const version = source.versionOf?.(item);
    if (version !== undefined && seen.get(id) === version) {
      unchanged++;
      continue;
    }
    let value: unknown;
    try {
      const found = await loadItem(target, item);
      value = checked(target, () => v.parse(v.optional(Item), found));
      failedInRow = 0;
    } catch (error) {
      if (!isOfItem(error) || ++failedInRow > MOST_FAILED) throw error;
      failed.push({ id, reason: reasonOf(error, source) });
      continue;
    }
    if (value === undefined) {
      unready++;
      continue;
    }
    loaded.push({ id, value });
    if (version !== undefined) seen.set(id, version);
  }
  if (source.isGrouped !== true)
    return {
      unchanged,
      unready,
      failed,
      items: loaded.map(({ id, value }) => ({ id, text: JSON.stringify(value) })),
    };
  const text = JSON.stringify(loaded.map(({ value }) => value));
  return { unchanged, unready, failed, items: loaded.length === 0 ? [] : [{ id: '', text }] };
}

/** Whether the product has answered, and the next item can succeed. One item must not keep all others away for ever. */
function isOfItem(error: unknown): error is SourceFailure {
  if (!(error instanceof SourceFailure)) return false;
  return isProblem(error, 'response') || (isProblem(error, 'network') && error.status > 0);
}

function reasonOf({ message }: SourceFailure, { order }: Source): string {
  const remedy =
    order === 'feed'
      ? 'the next run requests it again'
      : 'pull with --mirror later to request it again';
  return message.replace(/;[^;]*$/, `; ${remedy}`);
}

async function loadItem(target: ProductTarget, item: JsonObject): Promise<unknown> {
  const {
    details,
    more,
    join = (_: JsonObject, [only]: readonly unknown[]) => only,
  } = target.source;
  if (details === undefined || idOf(target, item) === '') return item;
  const replies: unknown[] = [];
  for (const request of details(item)) replies.push(await sendIfThere(target, request));
  while (replies.length < MOST_REQUESTS) {
    const next = checked(target, () => more?.(item, replies));
    if (next === undefined) break;
    replies.push(await sendIfThere(target, next));
  }
  return checked(target, () => join(item, replies));
}

async function sendIfThere(
  target: ProductTarget,
  request: SourceRequest,
): Promise<ProductReply['body']> {
  try {
    return (await sendToProduct(target, request)).body;
  } catch (error) {
    const { missing = [] } = request;
    if (isProblem(error, 'missing')) return undefined;
    if (error instanceof SourceFailure && missing.includes(error.status)) return undefined;
    throw error;
  }
}

/** Returns whether an item no longer exists, by a request for it alone. */
export async function isGone(target: ProductTarget, request: SourceRequest): Promise<boolean> {
  return (await sendIfThere(target, request)) === undefined;
}

/** Returns the id of an item. Throws `SourceFailure` if it has none of the documented form. */
export function idOf(target: ProductTarget, item: JsonObject): string {
  const { idOf: read = idIn } = target.source;
  return checked(target, () => read(item));
}

/** Runs a part of a source's description. Throws `SourceFailure` if the response is not as documented. */
export function checked<T>(target: ProductTarget, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof v.ValiError)) throw error;
    const path = v.getDotPath(error.issues[0] as v.BaseIssue<unknown>);
    throw new SourceFailure(
      'response',
      `A response from ${target.source.name} is not as documented${path === null ? '' : ` (${path})`}; check ${addressIn(target)}, or update Memory Gateway.`,
    );
  }
}
