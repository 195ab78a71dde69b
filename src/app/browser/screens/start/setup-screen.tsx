// The page after the first visit: what to bring in, and what to connect.

import { Link } from '../../parts/link.tsx';
import { useArrival } from '../../state/router.ts';
import { me } from '../../state/session.ts';

/** The page that a new account begins at. */
export function SetupScreen() {
  useArrival(true, 'Start');
  return (
    <div class="settings">
      <h1 tabIndex={-1}>Welcome, {me.value?.account.name}</h1>
      <section>
        <h2>Bring in your recordings</h2>
        <p>Export them from your recorder or meeting tool, and drop the export on the next page.</p>
        <p>
          <Link to="import">Import an export</Link>
        </p>
      </section>
      <section>
        <h2>Connect an assistant</h2>
        <p>Let Claude, ChatGPT or another program read them and search in them.</p>
        <p>
          <Link to="connect">Connect a program</Link>
        </p>
      </section>
    </div>
  );
}
