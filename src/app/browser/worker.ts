// The service worker: answers a navigation of the app that gets no response with the app that the browser has cached, or with a page that says so. It stores nothing, and touches no other request.

/** What a worker has instead of a window. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly skipWaiting: () => Promise<void>;
}

interface LifeEvent extends Event {
  readonly waitUntil: (work: Promise<unknown>) => void;
}

interface FetchEvent extends Event {
  readonly request: Request;
  /** The response that the browser has asked for while it started the worker. Undefined: it has not. */
  readonly preloadResponse: Promise<Response | undefined>;
  readonly respondWith: (response: Promise<Response>) => void;
}

const worker = globalThis as unknown as WorkerScope;

/** Pages that are open use nothing of the worker before, so the new one need not wait. */
addEventListener('install', () => void worker.skipWaiting());

// A start of the worker takes a page no time then.
addEventListener('activate', (event) =>
  (event as LifeEvent).waitUntil(worker.registration.navigationPreload.enable()),
);

addEventListener('fetch', (event) => {
  const asked = event as FetchEvent;
  const { request, preloadResponse } = asked;
  // Responses of the API that are opened as pages, such as files, are none of the app's.
  if (request.mode !== 'navigate' || request.url.startsWith(`${worker.registration.scope}v1/`))
    return;
  asked.respondWith(respond(request, preloadResponse));
});

async function respond(
  request: Request,
  preloaded: FetchEvent['preloadResponse'],
): Promise<Response> {
  try {
    return (await preloaded) ?? (await fetch(request));
  } catch {
    return cachedApp().catch(noConnection);
  }
}

/** Returns the page of the app for any address. It names its files relative to its own. Rejects if it is not cached. */
async function cachedApp(): Promise<Response> {
  const { scope } = worker.registration;
  const page = await fetch(scope, { cache: 'only-if-cached', mode: 'same-origin' });
  const headers = new Headers(page.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const html = await page.text();
  return new Response(html.replaceAll(/ (?:src|href)="/g, `$&${scope}`), { headers });
}

/** The page. It opens the address again as soon as the gateway answers, in the colours that the reader has chosen. */
function noConnection(): Response {
  const nonce = crypto.randomUUID();
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No connection – Memories</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fbfaf7, #16191d); color: light-dark(#1f2328, #e1e6eb) }
[data-theme=light] { color-scheme: light }
[data-theme=dark] { color-scheme: dark }
main { max-width: 30rem; margin: 12vh auto; padding: 0 1rem }
h1 { font-size: 1.75rem; font-weight: 600 }
button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: 6px; background: light-dark(#24639f, #7db4ea); color: light-dark(#fff, #10151a) }
</style>
<main>
<b>Memories</b>
<h1>No connection</h1>
<p>This device is offline, or Memory Gateway is not running. Your memories open by themselves when the connection is back.
<p><button>Try again</button>
</main>
<script nonce="${nonce}">
document.documentElement.dataset.theme = /memories-theme=(\\w+)|$/.exec(document.cookie)[1]
const open = () => location.reload()
const ask = () => fetch('', { method: 'HEAD' }).then(({ status }) => status < 500 && open(), () => {})
document.querySelector('button').onclick = open
addEventListener('online', ask)
setInterval(ask, 5000)
</script>`;
  return new Response(page, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'`,
    },
  });
}
