// The pages of the account: their frame, that of the settings with links to each other, and what a read-only app shows instead.

import type { ComponentChildren } from 'preact';

import { Menu } from '../../parts/controls/menu.tsx';
import { canChange } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { DemoNote, Notice } from '../../parts/notice.tsx';
import { place, useArrival } from '../../state/router.ts';
import { me } from '../../state/session.ts';

/** What a page needs. */
export interface PageProps {
  readonly title: string;
  /** Whether its content is there, so that Back can scroll. Default: it is. */
  readonly isReady?: boolean;
  /** What is above the title, and what is beside it. */
  readonly above?: ComponentChildren;
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page of the account: its title, and what is below. */
export function AccountPage({ title, isReady = true, above, beside, children }: PageProps) {
  useArrival(isReady, title);
  return (
    <div class="settings">
      {above}
      <div class="heading">
        <h1 tabIndex={-1}>{title}</h1>
        {beside}
      </div>
      {children}
    </div>
  );
}

/** A screen of the settings, with links to the others: tabs where there is room, and otherwise a menu as the frame has it. */
export function SettingsScreen(props: PageProps) {
  const { path } = place.value;
  const tab = (to: string, text: string) => (
    <Link to={to} isCurrent={path === to}>
      {text}
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
          {tab('settings/reading', 'Reading')}
          {tab('settings/devices', 'Devices')}
          {me.value?.session !== null && tab('settings/phone', 'Phone')}
          {me.value?.can_import && tab('settings/sources', 'Sources')}
          {canChange() && tab('settings/edits', 'Edits')}
          {me.value?.can_share && tab('settings/shares', 'Shares')}
          {tab('settings/access', 'API access')}
          {tab('settings/about', 'About')}
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
