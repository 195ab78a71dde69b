// Settings → Shares: the links to memories that have not ended, how often each was opened, and their end.

import type { InferOutput } from 'valibot';

import type { ShareEntry } from '../../../contract/share-records.ts';
import { counted } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { isOnThisMachine } from '../../state/base.ts';
import { useResource } from '../../state/resource.ts';
import { app, me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { Items } from './rows.tsx';
import { ReadOnlyScreen, SettingsScreen } from './settings.tsx';

type Share = InferOutput<typeof ShareEntry>;

/** Returns which lines a share shows, such as `lines 2 to 6`. All of them are nothing to say. */
function linesOf({ first_line, last_line, total_lines }: Share): string {
  if (last_line - first_line + 1 === total_lines) return '';
  return first_line === last_line ? `line ${first_line}` : `lines ${first_line} to ${last_line}`;
}

function factsOf(share: Share) {
  const { memory_id, title, created_at, expires_at, visits, in_bin } = share;
  const { moment, fromNow } = formats.value;
  return {
    title: <Link to={`m/${memory_id}`}>{title}</Link>,
    facts: [
      in_bin && 'does not open while the memory is in the bin',
      linesOf(share) || 'the whole memory',
      `created ${moment(created_at)}`,
      `ends ${fromNow(expires_at, Date.now())}`,
      counted(visits, 'visit'),
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
    <SettingsScreen title="Shares" loaded={[shares]}>
      <p class="note">
        {isOnThisMachine()
          ? 'At this address, a link opens only on this computer.'
          : 'Anybody with a link can read its page.'}{' '}
        A link is shown only once. To share again, make a new one.
      </p>
      <Items
        loaded={shares}
        none={
          <>
            No links yet. Open <Link to="">a memory</Link>, and choose “Share” in its menu.
          </>
        }
        tell={factsOf}
        actionsOf={(share) => ({
          Revoke: {
            title: `Revoke the link to ${[linesOf(share), `“${share.title}”`].filter(Boolean).join(' of ')}?`,
            text: 'Its page is gone at once. What somebody has copied from it is not.',
            run: () => app.shares.revoke({ id: share.id }),
          },
        })}
      />
    </SettingsScreen>
  );
}
