// Settings → About: what the account has, where it is, what leaves the gateway, and the end of the account.

import { canChange } from '../../parts/deleting.tsx';
import { FactList } from '../../parts/facts.tsx';
import { Awaited } from '../../parts/notice.tsx';
import { appAddressOf, GATEWAY } from '../../state/base.ts';
import { sumOf } from '../../state/list/layout.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { api, me, type SignedInAccount } from '../../state/session.ts';
import { readTagNames } from '../../state/tag-names.ts';
import { dates } from '../../time-formats.ts';
import { loadProducts } from '../import/import-screen.tsx';
import { EraseAccount } from './erase-account.tsx';
import { SettingsScreen } from './settings.tsx';

/** The screen. */
export function AboutScreen() {
  const known = me.value;
  return known ? <About known={known} /> : null;
}

function About({ known }: { readonly known: SignedInAccount }) {
  const { account, versions } = known;
  const counts = useResource('counts', countAll);
  return (
    <SettingsScreen title="About" isReady={counts.data !== undefined}>
      <Awaited {...counts} rows={4} />
      <FactList
        facts={{
          Account: `${account.name} (${account.id})`,
          ...counts.data,
          'Kept in': `${versions.database}, on the computer of this gateway`,
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
      {canChange() && <EraseAccount name={account.name} isFresh={known.is_fresh} />}
    </SettingsScreen>
  );
}

/** Returns what there is of memories, in words. Rejects with `Failure`. */
async function countAll(): Promise<Record<string, string>> {
  const [days, { source }, { names }] = await Promise.all([
    api.days.list({ timezone: zone.value }),
    readTagNames(),
    loadProducts(),
  ]);
  const [first, last] = [days[0], days.at(-1)];
  return {
    Memories: sumOf(days).memories.toLocaleString('en'),
    ...(first && last && { Recorded: dates.value.spanOfYear(first.date, last.date) }),
    ...(source.length > 0 && {
      'Imported from': source
        .map((name) => (names[name] ?? name).replace(/:.*/, '')) // without an example of the form
        .join(' · '),
    }),
  };
}
