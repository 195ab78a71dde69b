// What a key or a client may read: the fields in which the owner chooses it, and its text in lists.

import { Failure } from '../../../contract/failure.ts';
import { addDays, startOfDate } from '../dates.ts';
import { sourceTitle } from '../state/products.ts';
import { useResource } from '../state/resource.ts';
import { readTagNames } from '../state/tag-names.ts';
import { formats } from '../time-formats.ts';
import { TextInput, Radios, Select } from './controls/fields.tsx';

/** A scope, as the fields have it. Dates such as `2026-11-18`, or nothing. */
export interface ScopeFields {
  readonly reads: 'all' | 'summaries';
  /** Whether the dates count. */
  readonly days: 'every' | 'some';
  readonly from: string;
  readonly until: string;
  /** The name of a source and of a tag, or nothing. */
  readonly source: string;
  readonly tag: string;
}

/** The scope of somebody who changes nothing. */
export const EVERYTHING: ScopeFields = {
  reads: 'all',
  days: 'every',
  from: '',
  until: '',
  source: '',
  tag: '',
};

/** A scope as the endpoints have it. */
export interface ChosenScope {
  readonly reads: 'all' | 'summaries';
  readonly started_after: string | null;
  readonly started_before: string | null;
  readonly source: string | null;
  readonly tags: string[];
}

/**
 * Returns a scope as the endpoints take it. Days are those of the reader's time zone; the last one belongs to it.
 * Throws a `Failure` if there is no day, or if the last is before the first.
 */
export function toScope({ reads, days, from, until, source, tag }: ScopeFields): ChosenScope {
  const chosen = { reads, source: source || null, tags: tag ? [tag] : [] };
  if (days === 'every') return { ...chosen, started_after: null, started_before: null };
  if (from === '' && until === '')
    throw new Failure(422, 'Choose a first day, a last day or all days.');
  if (from !== '' && until !== '' && until < from)
    throw new Failure(422, 'Choose a last day that is not before the first.');
  return {
    ...chosen,
    started_after: from === '' ? null : startOf(from),
    started_before: until === '' ? null : startOf(addDays(until, 1)),
  };
}

/** Returns the instant at which a date begins in the reader's time zone. */
export function startOf(date: string): string {
  return startOfDate(date, formats.value.dayOf);
}

/** Returns what a scope is, in words. */
export function scopeText(scope: ChosenScope): string {
  const { reads, started_after, started_before, source, tags } = scope;
  return [
    reads === 'all' ? 'everything' : 'names, times and summaries, but no transcripts',
    started_after !== null && `from ${momentText(started_after)}`,
    started_before !== null && endText(started_before),
    source !== null && `only ${sourceTitle(source)}`,
    tags.length > 0 && `only with ${tags.map((tag) => `“${tag}”`).join(' and ')}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function momentText(iso: string): string {
  const { date, moment } = formats.value;
  return isMidnight(iso) ? date(iso) : moment(iso);
}

/** The end of a scope: its last day, or the moment in a day before which it ends. */
function endText(iso: string): string {
  if (!isMidnight(iso)) return `before ${formats.value.moment(iso)}`;
  return `until ${formats.value.date(new Date(Date.parse(iso) - 1).toISOString())}`;
}

function isMidnight(iso: string): boolean {
  return Date.parse(startOf(formats.value.dayOf(iso))) === Date.parse(iso);
}

interface ScopeChoiceProps {
  readonly scope: ScopeFields;
  readonly onChange: (scope: ScopeFields) => void;
}

/** The fields of a scope. Without any tags or sources, there is nothing to choose from. */
export function ScopeChoice({ scope, onChange }: ScopeChoiceProps) {
  const { data: known } = useResource('scopes', readTagNames);
  const nameChoice = (
    label: string,
    name: 'source' | 'tag',
    any: string,
    titleOf = (each: string) => each,
  ) =>
    known !== undefined &&
    known[name].length > 0 && (
      <Select
        label={label}
        options={Object.fromEntries([
          ['', any],
          ...known[name].map((each) => [each, titleOf(each)]),
        ])}
        value={scope[name]}
        onValue={(value) => onChange({ ...scope, [name]: value })}
      />
    );
  const dateInput = (label: string, name: 'from' | 'until') => (
    <TextInput
      label={label}
      type="date"
      max="9998-12-31"
      value={scope[name]}
      onValue={(date) => onChange({ ...scope, [name]: date })}
    />
  );
  return (
    <>
      <Radios
        label="It may read"
        options={{ all: 'Everything', summaries: 'Names, times and summaries, but no transcripts' }}
        value={scope.reads}
        onValue={(reads) => onChange({ ...scope, reads })}
      />
      <Radios
        label="From which days"
        options={{ every: 'All days', some: 'Only some days' }}
        value={scope.days}
        onValue={(days) => onChange({ ...scope, days })}
      />
      {scope.days === 'some' && (
        <>
          {dateInput('First day', 'from')}
          {dateInput('Last day', 'until')}
        </>
      )}
      {nameChoice('From which source', 'source', 'All sources', sourceTitle)}
      {nameChoice('With which tag', 'tag', 'With any tag or none')}
    </>
  );
}
