// What the owner chooses for a client: what it may read, from which days, and for how long.

import { useId } from 'preact/hooks';

import { CONSENT } from '../texts.ts';

/** A choice, as the fields have it. Dates such as `2026-11-18`, or nothing. */
export interface ChoiceFields {
  readonly reads: 'all' | 'summaries';
  readonly from: string;
  readonly until: string;
  readonly days: string;
}

/** The choice of somebody who changes nothing. */
export const START: ChoiceFields = { reads: 'all', from: '', until: '', days: '30' };

/** Returns a choice as the endpoint takes it. Days are those of this browser; the last one belongs to it. */
export function toInput({ reads, from, until, days }: ChoiceFields) {
  return {
    reads,
    started_after: midnight(from, 0),
    started_before: midnight(until, 1),
    days: Number(days),
  };
}

function midnight(date: string, later: number): string | null {
  if (date === '') return null;
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day + later).toISOString();
}

interface ChoiceProps {
  readonly choice: ChoiceFields;
  readonly onChange: (choice: ChoiceFields) => void;
}

/** The fields of a choice. */
export function Choice({ choice, onChange }: ChoiceProps) {
  const ids = { reads: useId(), from: useId(), until: useId(), days: useId() };
  const dateField = (name: 'from' | 'until') => (
    <p class="field">
      <label for={ids[name]}>{CONSENT[name]}</label>
      <input
        id={ids[name]}
        type="date"
        max="9998-12-31"
        value={choice[name]}
        onInput={(event) => onChange({ ...choice, [name]: event.currentTarget.value })}
      />
    </p>
  );
  return (
    <>
      <fieldset class="choices">
        <legend>{CONSENT.reads}</legend>
        {(['all', 'summaries'] as const).map((reads) => (
          <label key={reads}>
            <input
              type="radio"
              name={ids.reads}
              checked={choice.reads === reads}
              onChange={() => onChange({ ...choice, reads })}
            />
            {CONSENT.readsChoices[reads]}
          </label>
        ))}
      </fieldset>
      <details>
        <summary>{CONSENT.window}</summary>
        {dateField('from')}
        {dateField('until')}
      </details>
      <p class="field">
        <label for={ids.days}>{CONSENT.days}</label>
        <select
          id={ids.days}
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
