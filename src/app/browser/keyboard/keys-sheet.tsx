// The list of keys that work now: the keys of the screen, and the keys that work everywhere.

import { Dialog } from '../parts/controls/dialog.tsx';
import { currentShortcuts, hasLetters, isApple, toggleSheet } from './keyboard.ts';
import { isLetter, symbolsOf, type Shortcut } from './shortcuts.ts';

/** The list of the keys. */
export function KeysSheet() {
  const screen = currentShortcuts('screen');
  const taken = new Set(screen.flatMap(({ keys }) => keys));
  const everywhere = currentShortcuts('everywhere').map((each) => ({
    ...each,
    keys: each.keys.filter((key) => !taken.has(key)),
  }));
  return (
    <Dialog title="Keyboard" onClose={toggleSheet}>
      {!hasLetters.value && (
        <p class="note">Single-letter keys are off. Turn them on in Settings → Reading.</p>
      )}
      <Part title="On this screen" shortcuts={screen} />
      <Part title="Everywhere" shortcuts={everywhere} />
      <p class="actions">
        <button type="button" onClick={toggleSheet}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

interface PartProps {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

function Part({ title, shortcuts }: PartProps) {
  const working = shortcuts
    .map(({ keys, text }) => ({
      text,
      keys: keys.filter((key) => hasLetters.value || !isLetter(key)),
    }))
    .filter(({ keys }) => keys.length > 0);
  if (working.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <dl class="shortcuts">
        {working.map(({ keys, text }) => (
          <div key={text}>
            <dt>
              {keys.map((name, at) => (
                <span key={name}>
                  {at > 0 && ` or `}
                  {symbolsOf(name, isApple).map((symbol) => (
                    <kbd key={symbol}>{symbol}</kbd>
                  ))}
                </span>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
