// Settings: the links to its four screens, and the small screens Reading and About.

import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

import { Link } from '../../parts/link.tsx';
import { ZoneChoice } from '../../parts/zone-choice.tsx';
import { addressOf, GATEWAY } from '../../state/base.ts';
import { hasLetters } from '../../state/keyboard.ts';
import { FONTS, font, THEMES, theme } from '../../state/reading.ts';
import { place, useArrival } from '../../state/router.ts';
import { me } from '../../state/session.ts';
import { ABOUT, NAV, READING } from '../../texts.ts';

/** What a screen of the settings needs. */
export interface SettingsProps {
  readonly title: string;
  /** Whether its content is there, so that Back can scroll. */
  readonly isReady: boolean;
  readonly children: ComponentChildren;
}

/** The frame of a screen of the settings. */
export function Settings({ title, isReady, children }: SettingsProps) {
  const { path } = place.value;
  useArrival(isReady, title);
  const tab = (to: string, text: string) => (
    <Link to={to} isCurrent={path === to}>
      {text}
    </Link>
  );
  return (
    <div class="settings">
      <nav aria-label={NAV.settings} class="tabs">
        {tab('settings/access', NAV.access)}
        {tab('settings/devices', NAV.devices)}
        {tab('settings/reading', NAV.reading)}
        {tab('settings/about', NAV.about)}
      </nav>
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  );
}

/** Settings → Reading. */
export function ReadingScreen() {
  return (
    <Settings title={READING.title} isReady>
      <p class="note">{READING.intro}</p>
      <Choices legend={READING.theme} values={THEMES} texts={READING.themes} chosen={theme} />
      <Choices legend={READING.font} values={FONTS} texts={READING.fonts} chosen={font} />
      <p class="lines sample">{READING.sample}</p>
      <ZoneChoice />
      <Letters />
    </Settings>
  );
}

/** Keys of one letter, which speech input and shaking hands may press (WCAG 2.1.4). */
function Letters() {
  const hint = useId();
  return (
    <fieldset class="choices">
      <legend>{READING.keyboard}</legend>
      <label>
        <input
          type="checkbox"
          checked={hasLetters.value}
          aria-describedby={hint}
          onChange={(event) => {
            hasLetters.value = event.currentTarget.checked;
          }}
        />
        {READING.letters}
      </label>
      <span class="note" id={hint}>
        {READING.lettersHint}
      </span>
    </fieldset>
  );
}

interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly values: readonly T[];
  readonly texts: Readonly<Record<T, string>>;
  readonly chosen: Signal<T>;
}

function Choices<T extends string>({ legend, values, texts, chosen }: ChoicesProps<T>) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {values.map((value) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={chosen.value === value}
            onChange={() => {
              chosen.value = value;
            }}
          />
          {texts[value]}
        </label>
      ))}
    </fieldset>
  );
}

/** Settings → About. */
export function AboutScreen() {
  const known = me.value;
  if (known === null || known === undefined) return null;
  const { account, versions } = known;
  const facts = [
    [ABOUT.account, account.name],
    [ABOUT.accountId, account.id],
    [ABOUT.gateway, versions.gateway],
    [ABOUT.node, versions.node],
    [ABOUT.database, versions.database],
  ] as const;
  return (
    <Settings title={ABOUT.title} isReady>
      <p class="note">{ABOUT.intro}</p>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul class="plain-list">
        <li>
          <a href={`${GATEWAY}/docs`}>{ABOUT.docs}</a>
        </li>
        <li>
          <a href={addressOf('licences.txt')}>{ABOUT.licences}</a>
        </li>
      </ul>
    </Settings>
  );
}
