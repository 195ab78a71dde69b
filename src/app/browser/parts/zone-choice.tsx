// The choice of the time zone in which days and hours are shown.

import { useId } from 'preact/hooks';

import { zone } from '../state/reading.ts';
import { READING } from '../texts.ts';

/** A list of all time zones that this browser knows. The choice is kept in this browser. */
export function ZoneChoice() {
  const field = useId();
  // Some browsers leave out UTC, and the zone of the system may have an older name.
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone.value]);
  return (
    <p class="field zone">
      <label for={field}>{READING.zone}</label>
      <select
        id={field}
        value={zone.value}
        onChange={(event) => {
          zone.value = event.currentTarget.value;
        }}
      >
        {Array.from(names)
          .toSorted()
          .map((name) => (
            <option key={name} value={name}>
              {name.replaceAll('_', ' ')}
            </option>
          ))}
      </select>
    </p>
  );
}
