// Settings: the links to its screens, and the small screens Reading and About.

import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

import { hasLetters } from '../../keyboard/keyboard.ts';
import { Radios } from '../../parts/controls/fields.tsx';
import { ZoneChoice } from '../../parts/controls/zone-choice.tsx';
import { canChange } from '../../parts/deleting.tsx';
import { FactList } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { appAddressOf, GATEWAY } from '../../state/base.ts';
import { FONTS, NUMBERS, SIZES, textChoices, THEMES, theme, WIDTHS } from '../../state/reading.ts';
import { place, useArrival } from '../../state/router.ts';
import { me } from '../../state/session.ts';
import { EraseAccount } from './erase-account.tsx';

/** What a screen of the settings needs. */
export interface SettingsProps {
  readonly title: string;
  /** Whether its content is there, so that Back can scroll. */
  readonly isReady: boolean;
  readonly children: ComponentChildren;
}

/** The frame of a screen of the settings. */
export function SettingsScreen({ title, isReady, children }: SettingsProps) {
  const { path } = place.value;
  useArrival(isReady, title);
  const tab = (to: string, text: string) => (
    <Link to={to} isCurrent={path === to}>
      {text}
    </Link>
  );
  return (
    <div class="settings">
      <nav aria-label="Settings" class="tabs">
        {tab('settings/access', 'API access')}
        {tab('settings/devices', 'Devices')}
        {me.value?.session !== null && tab('settings/phone', 'Phone')}
        {me.value?.can_import === true && tab('settings/sources', 'Sources')}
        {canChange() && tab('settings/edits', 'Edits')}
        {me.value?.can_share === true && tab('settings/shares', 'Shares')}
        {tab('settings/reading', 'Reading')}
        {tab('settings/about', 'About')}
      </nav>
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  );
}

/** What a read-only app shows instead of a screen that writes. It asks the gateway nothing. */
export function ReadOnlyScreen({ title }: { readonly title: string }) {
  useArrival(true, title);
  return (
    <div class="settings">
      <h1 tabIndex={-1}>{title}</h1>
      <p>
        {me.value?.can_write === false
          ? 'The database is read-only now, so there is nothing to do here.'
          : 'The app of this gateway is read-only. Ask its operator to serve it with --app on, as a user of the database who may write memories.'}
      </p>
    </div>
  );
}

/** Settings → Reading. */
export function ReadingScreen() {
  return (
    <SettingsScreen title="Reading" isReady>
      <p class="note">Kept in this browser only.</p>
      <Radios
        label="Colours"
        options={THEMES}
        value={theme.value}
        onValue={(chosen) => {
          theme.value = chosen;
        }}
      />
      <TextChoice label="Transcript font" options={FONTS} choice={textChoices.font} />
      <TextChoice label="Text size" options={SIZES} choice={textChoices.size} />
      <TextChoice label="Width of the text" options={WIDTHS} choice={textChoices.width} />
      <TextChoice label="Line numbers" options={NUMBERS} choice={textChoices.numbers} />
      <p class="lines sample">Mira: The crystal has to go back to the supplier on Friday.</p>
      <ZoneChoice />
      <Letters />
    </SettingsScreen>
  );
}

interface TextChoiceProps<T extends string> {
  readonly label: string;
  readonly options: Readonly<Record<T, string>>;
  readonly choice: Signal<T>;
}

/** A choice about transcripts. */
function TextChoice<T extends string>({ label, options, choice }: TextChoiceProps<T>) {
  return (
    <Radios
      label={label}
      options={options}
      value={choice.value}
      onValue={(chosen) => {
        choice.value = chosen;
      }}
    />
  );
}

/** Keys of one letter, which speech input and shaking hands may press (WCAG 2.1.4). */
function Letters() {
  const hint = useId();
  return (
    <fieldset class="choices">
      <legend>Keyboard</legend>
      <label>
        <input
          type="checkbox"
          checked={hasLetters.value}
          aria-describedby={hint}
          onChange={(event) => {
            hasLetters.value = event.currentTarget.checked;
          }}
        />
        Single-letter keys
      </label>
      <span class="note" id={hint}>
        Turn them off if you use speech input.
      </span>
    </fieldset>
  );
}

/** Settings → About. */
export function AboutScreen() {
  const known = me.value;
  if (known === null || known === undefined) return null;
  const { account, versions } = known;
  return (
    <SettingsScreen title="About" isReady>
      <p class="note">Your own gateway serves this app. It sends nothing anywhere else.</p>
      <FactList
        facts={{
          Account: account.name,
          'Account id': account.id,
          'Memory Gateway': versions.gateway,
          Node: versions.node,
          Database: versions.database,
        }}
      />
      <ul class="plain-list">
        <li>
          <a href={`${GATEWAY}/docs`}>API reference</a>
        </li>
        <li>
          <a href={appAddressOf('licences.txt')}>Open-source licences</a>
        </li>
      </ul>
      {canChange() && <EraseAccount name={account.name} isFresh={known.is_fresh} />}
    </SettingsScreen>
  );
}
