// The responses to requests that were sent before the app's script was there. Each is taken once, and soon.

/** What a small script of the page leaves to the app. */
type Early = Map<string, Promise<Response>>;

const page = globalThis as { early?: Early };

/** How long a response may take, as in the app. */
const TIMEOUT_MS = 60_000;

/** Sends requests, and keeps their responses for the app, unless the app was there first: it would take them too late. */
export function keepEarly(urls: readonly string[]): void {
  if (page.early) return;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  page.early = new Map(urls.map((url) => [url, fetch(url, { signal })]));
  // What nobody takes has failed for nobody.
  for (const response of page.early.values()) response.catch(() => undefined);
}

/** Returns the response to a request, if it was sent early. */
export function takeEarly({ url, method }: Request): Promise<Response> | undefined {
  const early = (page.early ??= new Map());
  const response = method === 'GET' ? early.get(url) : undefined;
  early.delete(url);
  return response;
}

/** Forgets what nobody has taken, because it gets old. */
export function forgetEarly(): void {
  page.early = new Map();
}
