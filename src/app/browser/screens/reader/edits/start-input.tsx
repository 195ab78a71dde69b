// A field for the start of a memory, in the time zone of the reader.

import { TextInput } from '../../../parts/controls/fields.tsx';
import { zone } from '../../../state/reading.ts';

interface StartProps {
  /** The start as it is, an instant. */
  readonly start: string;
  /** Gets the start that is typed. It is the same instant if the minute is the same. */
  readonly onStart: (start: string) => void;
}

/** A date and a time to the minute. */
export function StartInput({ start, onStart }: StartProps) {
  const before = toLocal(Date.parse(start), zone.value);
  const read = (local: string) => {
    if (local === before) onStart(start);
    else if (local !== '') onStart(new Date(fromLocal(local, zone.value)).toISOString());
  };
  return (
    <TextInput
      label="Start"
      type="datetime-local"
      hint={zone.value.replaceAll('_', ' ')}
      required
      max="9999-12-30T00:00"
      defaultValue={before}
      onValue={read}
    />
  );
}

/** Returns an instant as the clocks of a zone show it, to the minute, such as `2026-11-18T09:00`. */
function toLocal(at: number, timeZone: string): string {
  // Swedish dates are those of ISO 8601.
  const text = new Date(at).toLocaleString('sv', { timeZone });
  return text.slice(0, -':00'.length).replace(' ', 'T');
}

/** Returns the instant at which the clocks of a zone show a time. If they skip it, they show one an hour off. */
function fromLocal(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const offsetAt = (at: number) => Date.parse(`${toLocal(at, timeZone)}Z`) - at;
  const near = asUtc - offsetAt(asUtc);
  const found = asUtc - offsetAt(near);
  return toLocal(found, timeZone) === local ? found : near;
}
