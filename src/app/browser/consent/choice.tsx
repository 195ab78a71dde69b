// What the owner chooses for a client: what it may read, from which days, and for how long.

import { useId, useState } from 'preact/hooks';

import { EVERYTHING, ScopeChoice, toScope, type ScopeFields } from '../parts/scope.tsx';
import { recallInTab, rememberInTab } from '../state/storage.ts';
import { CONSENT } from '../texts.ts';

/** A choice, as the fields have it. */
export interface ChoiceFields extends ScopeFields {
  /** For how many days. */
  readonly lasts: string;
}

/** The choice of somebody who changes nothing. */
const START: ChoiceFields = { ...EVERYTHING, lasts: '30' };

/** The choice for a request to an account. It outlives a sign-in in between, but does not count for others. */
export function useChoice(request: string) {
  const [choice, setChoice] = useState(() => recallChoice(request) ?? START);
  const choose = (next: ChoiceFields) => {
    rememberInTab('choice', JSON.stringify({ request, choice: next }));
    setChoice(next);
  };
  return [choice, choose] as const;
}

function recallChoice(request: string): ChoiceFields | undefined {
  const kept = recallInTab('choice');
  const last = kept === undefined ? undefined : JSON.parse(kept);
  return last?.request === request ? last.choice : undefined;
}

/** Returns a choice as the endpoint takes it. */
export function toInput({ lasts, ...scope }: ChoiceFields) {
  return { ...toScope(scope), days: Number(lasts) };
}

interface ChoiceProps {
  readonly choice: ChoiceFields;
  readonly onChange: (choice: ChoiceFields) => void;
}

/** The fields of a choice. */
export function Choice({ choice, onChange }: ChoiceProps) {
  const lasts = useId();
  return (
    <>
      <ScopeChoice scope={choice} onChange={(scope) => onChange({ ...choice, ...scope })} />
      <p class="field">
        <label for={lasts}>{CONSENT.days}</label>
        <select
          id={lasts}
          value={choice.lasts}
          onChange={(event) => onChange({ ...choice, lasts: event.currentTarget.value })}
        >
          {Object.entries(CONSENT.daysChoices).map(([value, text]) => (
            <option key={value} value={value} selected={value === choice.lasts}>
              {text}
            </option>
          ))}
        </select>
      </p>
    </>
  );
}
