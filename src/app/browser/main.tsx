// Starts the app in the browser. The secret of a sign-in link leaves the address first.

// oxfmt-ignore
import { watchLinks } from './state/secret.ts';

import { render } from 'preact';

import { startKeyboard } from './keyboard/keyboard.ts';
import { App } from './screens/app.tsx';
import { watchChanges } from './state/changes/change-list.ts';
import { watchConnection } from './state/connection.ts';
import { startReading } from './state/reading.ts';
import { startRouter } from './state/router.ts';
import { watchAccount } from './state/session.ts';

// Browsers resolve these again when the address changes, and they are relative to the first one.
for (const link of document.querySelectorAll<HTMLLinkElement>('[rel$=icon], [rel=manifest]'))
  link.href = new URL(link.href).href;

watchLinks();
startReading();
startRouter();
watchConnection();
watchAccount();
watchChanges();
startKeyboard();
document.body.replaceChildren(); // the placeholder
render(<App />, document.body);
