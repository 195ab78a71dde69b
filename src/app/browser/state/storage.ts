// What the app remembers in this browser or this tab: choices and times, and in the tab the names of its account and of people with colours of their own. Never texts or secrets.

/** Returns what was remembered under a name. Returns undefined if there is nothing, or no storage. */
export function recall(name: string): string | undefined {
  return tryStorage((storage) => storage.getItem(`memories.${name}`)) ?? undefined;
}

/** Remembers a value under a name. */
export function remember(name: string, value: string): void {
  tryStorage((storage) => storage.setItem(`memories.${name}`, value));
}

/** Returns what was remembered under a name for this tab. */
export function recallInTab(name: string): string | undefined {
  return tryStorage((_, tab) => tab.getItem(`memories.${name}`)) ?? undefined;
}

/** Remembers a value under a name until the tab is closed. */
export function rememberInTab(name: string, value: string): void {
  tryStorage((_, tab) => tab.setItem(`memories.${name}`, value));
}

/** A browser may refuse storage. Then a choice lasts until the page is closed. */
function tryStorage<T>(use: (browser: Storage, tab: Storage) => T): T | undefined {
  try {
    return use(localStorage, sessionStorage);
  } catch {
    return undefined;
  }
}
