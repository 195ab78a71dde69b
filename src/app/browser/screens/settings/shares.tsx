// Settings → Shares: the links to memories that have not ended, how often each was opened, and their end.

import type { InferOutput } from 'valibot';

import type { ShareEntry } from '../../../contract/share-records.ts';
import { Link } from '../../parts/link.tsx';
import { useResource } from '../../state/resource.ts';
import { app, me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { Table } from './rows.tsx';
import { ReadOnlyScreen, SettingsScreen } from './settings.tsx';

type Share = InferOutput<typeof ShareEntry>;

const COLUMNS = {
  Memory: ({ memory_id, title }: Share) => <Link to={`m/${memory_id}`}>{title}</Link>,
  Lines: ({ first_line, last_line, total_lines }: Share) =>
    last_line - first_line + 1 === total_lines ? 'all' : `${first_line} to ${last_line}`,
  Created: ({ created_at }: Share) => formats.value.date(created_at),
  Ends: ({ expires_at }: Share) => formats.value.fromNow(expires_at, Date.now()),
  Visits: ({ visits }: Share) => visits.toLocaleString('en'),
};

/** The screen of the shares. */
export function SharesScreen() {
  return me.value?.can_share === true ? <OwnShares /> : <ReadOnlyScreen title="Shares" />;
}

function OwnShares() {
  const shares = useResource('shares', app.shares.list);
  return (
    <SettingsScreen title="Shares" isReady={shares.data !== undefined}>
      <p class="note">
        Links that you have made with “Share a link” in the menu of a memory. Whoever has a link can
        read what it shows.
      </p>
      <Table
        loaded={shares}
        none={
          <>
            No links yet. Open <Link to="">a memory</Link>, and choose “Share a link” in its menu.
          </>
        }
        columns={COLUMNS}
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
