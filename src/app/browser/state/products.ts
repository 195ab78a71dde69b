// The products that memories come from: how to get an export, and what people call each source.

import { signal } from '@preact/signals';

import { PRODUCTS_FILE, type Products } from '../../samples.ts';
import { loadFile, toFailure } from './session.ts';

/** Loads the texts about products. Rejects with `Failure`. */
export async function loadProducts(): Promise<Products> {
  return (await loadFile(PRODUCTS_FILE)).json();
}

const names = signal<Products['names']>();

let loading: Promise<void> | undefined;

async function loadNames(): Promise<void> {
  try {
    names.value = (await loadProducts()).names;
  } catch (error) {
    toFailure(error);
    loading = undefined; // the next text tries again
  }
}

/** Returns what people call a source of memories. Until the names are loaded, its own name. */
export function sourceTitle(source: string): string {
  if (names.value === undefined) loading ??= loadNames();
  return names.value?.[source] ?? source;
}
