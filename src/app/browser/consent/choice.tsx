// What the owner chooses for a client: what it may read, from which days, and for how long.

import { useId } from 'preact/hooks';

import { EVERYTHING, ScopeChoice, toScope, type ScopeFields } from '../parts/scope.tsx';
import { CONSENT } from '../texts.ts';

/** A choice, as the fields have it. */
export interface ChoiceFields extends ScopeFields {
  readonly days: string;
}

/** The choice of somebody who changes nothing. */
export const START: ChoiceFields = { ...EVERYTHING, days: '30' };

/** Returns a choice as the endpoint takes it. */
export function toInput({ days, ...scope }: ChoiceFields) {
  return { ...toScope(scope), days: Number(days) };
}

interface ChoiceProps {
  readonly choice: ChoiceFields;
  readonly onChange: (choice: ChoiceFields) => void;
}

/** The fields of a choice. */
export function Choice({ choice, onChange }: ChoiceProps) {
  const days = useId();
  return (
    <>
      <ScopeChoice scope={choice} onChange={(scope) => onChange({ ...choice, ...scope })} />
      <p class="field">
        <label for={days}>{CONSENT.days}</label>
        <select
          id={days}
          value={choice.days}
          onChange={(event) => onChange({ ...choice, days: event.currentTarget.value })}
        >
          {Object.entries(CONSENT.daysChoices).map(([value, text]) => (
            <option key={value} value={value} selected={value === choice.days}>
              {text}
            </option>
          ))}
        </select>
      </p>
    </>
  );
}
