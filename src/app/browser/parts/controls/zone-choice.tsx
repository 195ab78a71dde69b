// The choice of the time zone in which days and hours are shown.

import { zone } from '../../state/reading.ts';
import { Select } from './fields.tsx';

/** A list of all time zones that this browser knows. The choice is kept in this browser. */
export function ZoneChoice() {
  // Some browsers leave out UTC, and the zone of the system may have an older name.
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone.value]);
  return (
    <Select
      label="Time zone"
      options={Object.fromEntries(
        Array.from(names)
          .toSorted()
          .map((name) => [name, name.replaceAll('_', ' ')]),
      )}
      value={zone.value}
      onValue={(name) => {
        zone.value = name;
      }}
    />
  );
}
