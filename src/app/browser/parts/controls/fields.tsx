// The fields of forms, each with its label: an input, a choice from a list, and a choice by radio buttons.

import type { InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps<T extends string> {
  readonly label: string;
  readonly onValue?: (value: T) => void;
}

interface InputProps extends FieldProps<string> {
  readonly type?: 'text' | 'password' | 'date' | 'datetime-local';
  /** What the label does not say, below the input. */
  readonly hint?: string;
  readonly value?: string;
  /** The id of a list of texts that are offered. */
  readonly list?: string;
  readonly defaultValue?: string;
  readonly required?: boolean;
  readonly min?: string;
  readonly max?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Default: `off`. */
  readonly autocomplete?: 'username' | 'current-password' | 'new-password';
}

/** An input below its label. `onValue` gets what is typed. */
export function TextInput({ label, hint, onValue, ...input }: InputProps) {
  const [id, note] = [useId(), useId()];
  // Preact has a type for each kind of input, and here the kind is open.
  const attributes = { type: 'text', autocomplete: 'off', ...input } as InputHTMLAttributes;
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <input
        {...attributes}
        id={id}
        aria-describedby={hint === undefined ? undefined : note}
        onInput={(event) => onValue?.(event.currentTarget.value)}
      />
      {hint !== undefined && (
        <span class="note" id={note}>
          {hint}
        </span>
      )}
    </p>
  );
}

/** The label of a key or a passkey: a required text of up to 200 characters, as the contract has it. */
export function LabelInput(props: InputProps) {
  return <TextInput required maxLength={200} {...props} />;
}

interface ChoiceProps<T extends string> extends FieldProps<T> {
  /** The values with their texts. */
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
}

/** A list to choose from, below its label. */
export function Select<T extends string>({ label, options, value, onValue }: ChoiceProps<T>) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onValue?.(event.currentTarget.value as T)}>
        {Object.entries<string>(options).map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </p>
  );
}

/** Radio buttons below their common label. */
export function Radios<T extends string>({ label, options, value, onValue }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {Object.entries<string>(options).map(([each, text]) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            checked={each === value}
            onChange={() => onValue?.(each as T)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
