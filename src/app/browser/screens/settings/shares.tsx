// Settings → Shares: the links to memories that have not ended, how often each was opened, and their end.

import type { InferOutput } from 'valibot';

import type { ShareEntry } from '../../../contract/share-records.ts';
import { counted } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { useResource } from '../../state/resource.ts';
import { app, me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { Items } from './rows.tsx';
import { ReadOnlyScreen, SettingsScreen } from './settings.tsx';

type Share = InferOutput<typeof ShareEntry>;

function factsOf(share: Share) {
  const { memory_id, title, first_line, last_line, total_lines } = share;
  const isWhole = last_line - first_line + 1 === total_lines;
  const { date, fromNow } = formats.value;
  return {
    title: <Link to={`m/${memory_id}`}>{title}</Link>,
    facts: [
      isWhole
        ? 'all lines'
        : first_line === last_line
          ? `line ${first_line}`
          : `lines ${first_line} to ${last_line}`,
      `created ${date(share.created_at)}`,
      `ends ${fromNow(share.expires_at, Date.now())}`,
      counted(share.visits, 'visit'),
    ],
  };
}

/** The screen of the shares. */
export function SharesScreen() {
  return me.value?.can_share ? <OwnShares /> : <ReadOnlyScreen title="Shares" />;
}

function OwnShares() {
  const shares = useResource('shares', app.shares.list);
  return (
    <SettingsScreen title="Shares" isReady={shares.data !== undefined}>
      <p class="note">
        Anybody with a link can read its page. A link is shown only once. To share again, make a new
        one.
      </p>
      <Items
        loaded={shares}
        none={
          <>
            No links yet. Open <Link to="">a memory</Link>, and choose “Share a link” in its menu.
          </>
        }
        tell={factsOf}
        actionsOf={({ id, title }) => ({
          Revoke: {
            title: `Revoke the link to “${title}”?`,
            text: 'Its page is gone at once. What somebody has copied from it is not.',
            run: () => app.shares.revoke({ id }),
          },
        })}
      />
    </SettingsScreen>
  );
}
