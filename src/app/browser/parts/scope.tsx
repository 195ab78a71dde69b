// What a key or a client may read: the fields in which the owner chooses it, and its text in lists.

import { useId } from 'preact/hooks';

import { Failure } from '../../../contract/failure.ts';
import { SCOPE } from '../texts.ts';
import { formats } from './formats.ts';

/** A scope, as the fields have it. Dates such as `2026-11-18`, or nothing. */
export interface ScopeFields {
  readonly reads: 'all' | 'summaries';
  readonly from: string;
  readonly until: string;
}

/** The scope of somebody who changes nothing. */
export const EVERYTHING: ScopeFields = { reads: 'all', from: '', until: '' };

/** A scope as the endpoints have it. */
export interface Scope {
  readonly reads: 'all' | 'summaries';
  readonly started_after: string | null;
  readonly started_before: string | null;
}

/**
 * Returns a scope as the endpoints take it. Days are those of this browser; the last one belongs to it.
 * Throws a `Failure` if the last is before the first.
 */
export function toScope({ reads, from, until }: ScopeFields): Scope {
  if (from !== '' && until !== '' && until < from) throw new Failure(422, SCOPE.order);
  return { reads, started_after: midnight(from, 0), started_before: midnight(until, 1) };
}

/** Returns when a day starts here, or a number of days after it. Null for no date. */
export function midnight(date: string, later: number): string | null {
  if (date === '') return null;
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day + later).toISOString();
}

/** Returns what a scope is, in words. */
export function scopeText({ reads, started_after, started_before }: Scope): string {
  const { date } = formats.value;
  return [
    SCOPE.short[reads],
    started_after !== null && SCOPE.after(date(started_after)),
    started_before !== null && SCOPE.before(date(started_before)),
  ]
    .filter(Boolean)
    .join(', ');
}

interface ScopeChoiceProps {
  readonly scope: ScopeFields;
  readonly onChange: (scope: ScopeFields) => void;
}

/** The fields of a scope. */
export function ScopeChoice({ scope, onChange }: ScopeChoiceProps) {
  const ids = { reads: useId(), from: useId(), until: useId() };
  const dateField = (name: 'from' | 'until') => (
    <p class="field">
      <label for={ids[name]}>{SCOPE[name]}</label>
      <input
        id={ids[name]}
        type="date"
        max="9998-12-31"
        value={scope[name]}
        onInput={(event) => onChange({ ...scope, [name]: event.currentTarget.value })}
      />
    </p>
  );
  return (
    <>
      <fieldset class="choices">
        <legend>{SCOPE.reads}</legend>
        {(['all', 'summaries'] as const).map((reads) => (
          <label key={reads}>
            <input
              type="radio"
              name={ids.reads}
              checked={scope.reads === reads}
              onChange={() => onChange({ ...scope, reads })}
            />
            {SCOPE.choices[reads]}
          </label>
        ))}
      </fieldset>
      <details>
        <summary>{SCOPE.window}</summary>
        {dateField('from')}
        {dateField('until')}
      </details>
    </>
  );
}
