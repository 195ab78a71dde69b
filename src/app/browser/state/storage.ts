// What the app remembers in this browser: choices and times, never texts or secrets.

/** Returns what was remembered under a name. Returns undefined if there is nothing, or no storage. */
export function recall(name: string): string | undefined {
  return tryStorage((storage) => storage.getItem(`memories.${name}`)) ?? undefined;
}

/** Remembers a value under a name. */
export function remember(name: string, value: string): void {
  tryStorage((storage) => storage.setItem(`memories.${name}`, value));
}

/** A browser may refuse storage. Then a choice lasts until the page is closed. */
function tryStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
