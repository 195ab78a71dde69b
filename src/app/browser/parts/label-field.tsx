// The field for the label of a key or passkey.

import { useId } from 'preact/hooks';

/** What the field needs. */
export interface LabelFieldProps {
  readonly name: string;
  readonly hint: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A required text of up to 200 characters, as the contract has it. */
export function LabelField({ name, hint, value, onInput }: LabelFieldProps) {
  const [field, note] = [useId(), useId()];
  return (
    <p class="field">
      <label for={field}>{name}</label>
      <input
        id={field}
        type="text"
        required
        maxLength={200}
        autocomplete="off"
        aria-describedby={note}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <span class="note" id={note}>
        {hint}
      </span>
    </p>
  );
}
