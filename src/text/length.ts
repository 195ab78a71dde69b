// How long something took, in words.

/** Returns a length as "1 s", "15 min" or "2 h 5 min". From 100 hours on, as whole hours: "1,204 h". Empty if it is not known. */
export function lengthOf(seconds: number): string {
  if (seconds === 0) return '';
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  const rest = minutes % 60;
  if (minutes >= 6000) return `${Math.round(minutes / 60).toLocaleString('en')} h`;
  if (minutes < 60) return `${minutes} min`;
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}
