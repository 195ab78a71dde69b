// The screens of the app by their addresses: the server answers these with the page, and the page shows them.

/** What paths below `/app/` look like. A group is what a screen is about, such as the id of a memory. */
export const SCREENS = {
  list: /^$/,
  search: /^search(?:es)?$/,
  changes: /^changes$/,
  connect: /^connect$/,
  memory: /^m\/([\w.~-]{1,128})$/,
  calendar: /^calendar(?:\/(\d{4}))?$/,
  day: /^days\/(\d{4}-\d\d-\d\d)$/,
  week: /^weeks\/(\d{4}-\d\d-\d\d)$/,
  month: /^months\/(\d{4}-\d\d)$/,
  people: /^people$/,
  actions: /^actions$/,
  starred: /^starred$/,
  person: /^people\/(.+)$/,
  settings: /^settings$/,
  reading: /^settings\/reading$/,
  access: /^settings\/access$/,
  devices: /^settings\/devices$/,
  edits: /^settings\/edits$/,
  phone: /^settings\/phone$/,
  sources: /^settings\/sources$/,
  shares: /^settings\/shares$/,
  about: /^settings\/about$/,
  signIn: /^sign-in$/,
  start: /^start$/,
  import: /^import$/,
  bin: /^bin$/,
  consent: /^consent$/,
} as const satisfies Readonly<Record<string, RegExp>>;

/** The name of a screen. */
export type ScreenName = keyof typeof SCREENS;

/** A screen, and what it is about: an id, a year or a date. Empty if it is about nothing. */
export interface FoundScreen {
  readonly name: ScreenName;
  readonly about: string;
}

/** Returns the screen at a path below `/app/`. Returns undefined if there is none. */
export function findScreen(path: string): FoundScreen | undefined {
  for (const name of Object.keys(SCREENS) as ScreenName[]) {
    const found = SCREENS[name].exec(path);
    if (found !== null) return { name, about: found[1] ?? '' };
  }
  return undefined;
}
