// Settings → Reading: colours, the look of transcripts with a sample of it, the time zone and keys. This browser keeps them.

import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';

import { hasLetters } from '../../keyboard/keyboard.ts';
import { Radios } from '../../parts/controls/fields.tsx';
import { ZoneChoice } from '../../parts/controls/zone-choice.tsx';
import { textChoices, theme } from '../../state/reading.ts';
import { SettingsScreen } from './settings.tsx';

const COLOURS = { system: 'As the system', light: 'Light', dark: 'Dark' };
const FONTS = { serif: 'Serif', sans: 'Sans serif' };
const SIZES = { small: 'Small', medium: 'Medium', large: 'Large', larger: 'Largest' };
const WIDTHS = { narrow: 'Narrow', medium: 'Medium', wide: 'Wide' };
const NUMBERS = { near: 'When you point at a line', always: 'Always' };

/** The screen. */
export function ReadingScreen() {
  return (
    <SettingsScreen title="Reading">
      <p class="note">For this browser only.</p>
      <Sample />
      <Choice label="Colours" options={COLOURS} choice={theme} />
      <Choice label="Font" options={FONTS} choice={textChoices.font} />
      <Choice label="Text size" options={SIZES} choice={textChoices.size} />
      <Choice label="Width of the text" options={WIDTHS} choice={textChoices.width} />
      <Choice label="Line numbers" options={NUMBERS} choice={textChoices.numbers} />
      <ZoneChoice />
      <Letters />
    </SettingsScreen>
  );
}

/** Lines as the reader shows them, enough of them to see the width. */
function Sample() {
  return (
    <div class="room" role="group" aria-label="Sample">
      <div class="reader">
        <div class="lines">
          <p class="line turn">
            <span class="number">L1</span>
            <span class="said">
              <b class="speaker hue-1">Mira</b> The crystal has to go back to the supplier on
              Friday. If it leaves a day later, the new one comes after the fair, and we stand there
              with a clock that is slow.
            </span>
          </p>
        </div>
      </div>
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly options: Readonly<Record<T, string>>;
  readonly choice: Signal<T>;
}

function Choice<T extends string>({ label, options, choice }: ChoiceProps<T>) {
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
