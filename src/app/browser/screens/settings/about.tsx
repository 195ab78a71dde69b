// Settings → About: what the account has, where it is, what leaves the gateway, and the end of the account.

import { CopyText } from '../../parts/controls/copy.tsx';
import { canChange } from '../../parts/deleting.tsx';
import { FactList } from '../../parts/facts.tsx';
import { Awaited } from '../../parts/notice.tsx';
import { appAddressOf, GATEWAY } from '../../state/base.ts';
import { sumOf } from '../../state/list/layout.ts';
import { sourceTitle } from '../../state/products.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { api, me, ownCommand, type SignedInAccount } from '../../state/session.ts';
import { readTagNames } from '../../state/tag-names.ts';
import { dates, formats } from '../../time-formats.ts';
import { EraseAccount } from './erase-account.tsx';
import { SettingsScreen } from './settings.tsx';

/** The screen. */
export function AboutScreen() {
  const known = me.value;
  return known ? <About known={known} /> : null;
}

function About({ known }: { readonly known: SignedInAccount }) {
  const { account, kept, versions } = known;
  const counts = useResource('counts', countAll);
  const { days = [], sources = [] } = counts.data ?? {};
  const [first, last] = [days[0], days.at(-1)];
  return (
    <SettingsScreen title="About" loaded={[counts]}>
      <Awaited {...counts} />
      <FactList
        facts={{
          Account: account.name,
          ...(counts.data && { Memories: sumOf(days).memories.toLocaleString('en') }),
          ...(first && last && { Recorded: dates.value.spanOfYear(first.date, last.date) }),
          ...(sources.length > 0 && { 'Imported from': sources.map(sourceTitle).join(', ') }),
          'Kept in':
            kept === null ? (
              `${versions.database}, on the computer of this gateway`
            ) : (
              <>
                <code translate={false}>{kept.path}</code> ({sizeText(kept.bytes)})
              </>
            ),
          ...(kept?.backup_at && { 'Last backup': formats.value.moment(kept.backup_at) }),
          Version: versions.gateway,
        }}
      />
      <section>
        <h2>Who else can read them</h2>
        <p>
          Nobody, unless you choose it: programs with a key, assistants that you connect, browsers
          that are signed in, and whoever has a link that you share. If this gateway searches by
          meaning, the server chosen for it gets the texts as well.
        </p>
      </section>
      <p class="names">
        <a href={`${GATEWAY}/docs`}>API reference</a>
        <a href={appAddressOf('licences.txt')}>Open-source licences</a>
      </p>
      <details>
        <summary>Export everything</summary>
        <CopyText
          label="Run this in a terminal on the computer of this gateway:"
          text={ownCommand(`export --account ${account.id} --details --output everything.jsonl`)}
          isLong
        />
      </details>
      {canChange() && <EraseAccount name={account.name} />}
    </SettingsScreen>
  );
}

/** Reads the days with memories, and their sources. Rejects with `Failure`. */
async function countAll() {
  const [days, { source }] = await Promise.all([
    api.days.list({ timezone: zone.value }),
    readTagNames(),
  ]);
  return { days, sources: source };
}

/** Returns a size such as "4.2 MB". */
function sizeText(bytes: number): string {
  const [size, unit] = bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${size.toFixed(size < 10 ? 1 : 0)}\u00a0${unit}`;
}
