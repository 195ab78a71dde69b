// The pages of the account: their frame, that of the settings with links to each other, and what a read-only app shows instead.

import type { ComponentChildren } from 'preact';

import { Menu } from '../../parts/controls/menu.tsx';
import { canChange } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { DemoNote, Loading, Notice } from '../../parts/notice.tsx';
import type { Resource } from '../../state/resource.ts';
import { place, useArrival } from '../../state/router.ts';
import { may, me } from '../../state/session.ts';

/** What a page needs. */
export interface PageProps {
  readonly title: string;
  /** What is loaded for its content, which is drawn at once, so that no part pushes another away. */
  readonly loaded?: readonly Pick<Resource<unknown>, 'data' | 'failure'>[];
  /** What is above the title, and what is beside it. */
  readonly above?: ComponentChildren;
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page of the account: its title, and what is below. */
export function AccountPage({ title, loaded = [], above, beside, children }: PageProps) {
  const isReady = loaded.every(({ data, failure }) => data ?? failure);
  useArrival(isReady, title);
  return (
    <div class="settings">
      {above}
      <div class="heading">
        <h1 tabIndex={-1}>{title}</h1>
        {beside}
      </div>
      {isReady ? children : <Loading />}
    </div>
  );
}

/** Returns the title of the page at a path, such as "Devices" for `settings/devices`. */
function titleOf(path: string): string {
  const name = path.replace('settings/', '');
  return name === 'access' ? 'API access' : name.charAt(0).toUpperCase() + name.slice(1);
}

/** A screen of the settings, with links to the others: tabs where there is room, and otherwise a menu as the frame has it. */
export function SettingsScreen(props: PageProps) {
  const { path } = place.value;
  const tab = (to: string) => (
    <Link to={to} isCurrent={path === to}>
      {titleOf(to)}
    </Link>
  );
  const tabs = (
    <div>
      {me.value?.can_write === false && (
        <Notice>
          The database is read-only now. Keys, devices and sign-ins cannot be changed.
        </Notice>
      )}
      <Menu label="All settings" class="rest" sign={<span class="brand">All settings ▾</span>}>
        <nav aria-label="Settings" class="tabs">
          {tab('settings/reading')}
          {tab('settings/devices')}
          {me.value?.session !== null && tab('settings/phone')}
          {may('import') && tab('settings/sources')}
          {canChange() && tab('settings/edits')}
          {may('share') && tab('settings/shares')}
          {tab('settings/access')}
          {tab('settings/about')}
        </nav>
      </Menu>
    </div>
  );
  return <AccountPage {...props} above={tabs} />;
}

/** What a read-only app shows instead of a screen that writes. It asks the gateway nothing. */
export function ReadOnlyScreen({ title }: { readonly title: string }) {
  return (
    <AccountPage title={title}>
      {typeof me.value?.start_command === 'string' ? (
        <DemoNote />
      ) : (
        <p>
          {me.value?.can_write === false
            ? 'The database is read-only now, so there is nothing to do here.'
            : 'The app of this gateway is read-only. To change that, start it with --app on.'}
        </p>
      )}
    </AccountPage>
  );
}

/** What a page shows that was opened without a connection and needs one. */
export function OfflineScreen() {
  const { path } = place.value;
  const Page = path.startsWith('settings/') ? SettingsScreen : AccountPage;
  return (
    <Page title={titleOf(path)}>
      <p class="note">This opens when the connection is back.</p>
    </Page>
  );
}
