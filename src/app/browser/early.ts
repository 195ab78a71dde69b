// Sends the first requests of a screen while the app's script is still on its way, so that they are no further round trip.

import { APP, pathInApp } from './state/base.ts';
import { keepEarly } from './state/early-responses.ts';
import { FIELDS, HEAD } from './state/list/row.ts';
import { recall } from './state/storage.ts';

const { pathname, search } = location;
const path = pathInApp(pathname);
const timezone = recall('zone') || Intl.DateTimeFormat().resolvedOptions().timeZone;

const memory = path.replace('m', 'memories');

/** The requests of the screen of the address, as the app makes them. */
const targets = [
  'me',
  ...(path === '' && search === ''
    ? [
        `days?${new URLSearchParams({ timezone })}`,
        `memories?${new URLSearchParams({ timezone, fields: FIELDS.join(), limit: String(HEAD) })}`,
      ]
    : []),
  ...(/^m\/[\w.~-]+$/.test(path) ? [memory, `${memory}/details`] : []),
];

// The browser would open files that are dropped before the app can take them, in place of it.
for (const type of ['dragover', 'drop'] as const)
  addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  });

// Nobody who has never signed in has anything to ask for.
if (recall('account') !== undefined)
  keepEarly(targets.map((target) => new URL(`v1/${target}`, APP).href));
