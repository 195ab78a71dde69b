// The owner's choice for a client: its memories, their days, and how long the access lasts.

import { useState } from 'preact/hooks';

import { Select } from '../parts/controls/fields.tsx';
import { EVERYTHING, ScopeChoice, toScope, type ScopeFields } from '../parts/scope.tsx';
import { recallInTab, rememberInTab } from '../state/storage.ts';

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
export function ConsentChoice({ choice, onChange }: ChoiceProps) {
  return (
    <>
      <ScopeChoice scope={choice} onChange={(scope) => onChange({ ...choice, ...scope })} />
      <Select
        label="For how long"
        options={{ '7': '7 days', '30': '30 days', '90': '90 days', '365': 'a year' }}
        value={choice.lasts}
        onValue={(lasts) => onChange({ ...choice, lasts })}
      />
    </>
  );
}
