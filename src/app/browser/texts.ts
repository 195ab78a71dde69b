// Every text of the interface, so that it can be read and changed in one place.

/** The name of the app, as the window has it. */
export const APP_NAME = 'Memories';

const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The links of the frame. */
export const NAV = {
  main: 'Main',
  settings: 'Settings',
  memories: 'Memories',
  calendar: 'Calendar',
  changes: 'Changes',
  unseen: (count: number) => (count < 100 ? `${count} new` : '99+ new'),
  keyboard: 'Keyboard',
  reading: 'Reading',
  access: 'API access',
  devices: 'Devices',
  about: 'About',
  skip: 'Skip to the content',
  signOut: 'Sign out',
} as const;

/** Words that several screens use. */
export const COMMON = {
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyByHand: 'Press Ctrl+C or ⌘C to copy the selected text.',
  done: 'Done',
  more: 'More',
  remove: 'Remove',
  save: 'Save',
  retry: 'Try again',
  never: 'never',
  today: 'Today',
  yesterday: 'Yesterday',
  notRecorded: 'not recorded',
  asCurl: 'As a request to the API',
  command: 'Command',
  requestId: (id: string) => `Request ${id}`,
  lost: (time: string) => `The gateway does not answer. Last answer: ${time}. Trying again…`,
  unreachable: 'This cannot be loaded now, because the gateway does not answer.',
  readOnly: 'The database is read-only now. Keys, devices and sign-ins cannot be changed.',
  notFoundTitle: 'No such page',
  notFound: 'There is no page at this address.',
  toMemories: 'Go to your memories',
} as const;

/** Sign-in. */
export const SIGN_IN = {
  title: 'Sign in',
  ended: 'Your session has ended. Sign in to go on where you were.',
  client: 'A client asks to read your memories. Sign in to see what it asks for.',
  as: (name: string) => `Sign in as ${name}`,
  until: (time: string) => `This link works once, until ${time}.`,
  short: 'Sign me out when I close the browser',
  shortHint: 'After 12 hours at the latest.',
  account: 'Account',
  password: 'Password',
  withPassword: 'Sign in with password',
  passkey: 'Sign in with a passkey',
  passkeyFailed: 'The passkey was not used. Try again, or choose another way to sign in.',
  linkTitle: 'Get a link',
  link: 'Run this where the gateway runs, and open the link that it prints:',
  linkOther:
    'Or open Settings → Devices in a browser that is signed in, and choose “Sign in another device”.',
  command: 'memory-gateway sign-in ACCOUNT',
  goOn: (name: string) => `Go on as ${name}`,
  badLink:
    'This link does not work any more: it was used, or is older than 10 minutes. Get a new one.',
} as const;

/** The list of memories. */
export const LIST = {
  title: 'Memories',
  empty: 'No memories yet',
  emptyHint: 'Import recordings where the gateway runs, for example a folder of transcripts:',
  emptyCommand: (account: string) => `memory-gateway import --account ${account} FOLDER`,
  emptyKey: 'Or create an API key for a program',
  processing: 'Summary to come',
  untitled: 'Untitled',
  count: (count: number) => plural(count, 'memory', 'memories'),
  end: 'This is your oldest memory.',
  damaged: 'This memory is damaged. Run “memory-gateway verify” where the gateway runs.',
  gap: (days: number, isFiltered: boolean) =>
    `${plural(days, 'day')} without ${isFiltered ? 'such ' : ''}memories`,
  years: 'Years',
  added: (count: number) => (count === 0 ? 'Some memories have changed' : `${count} new`),
  keys: {
    next: 'Next memory',
    previous: 'Previous memory',
    open: 'Open the memory, as Enter does',
    today: 'Today, or the newest day before',
    first: 'Newest memory',
    last: 'Oldest memory',
  },
} as const;

/** The filter of the list. */
export const FILTER = {
  title: 'Filter',
  q: 'Words',
  from: 'From',
  to: 'To',
  state: 'State',
  states: { '': 'All', ready: 'Ready', processing: 'Being processed' },
  apply: 'Apply',
  clear: 'Show all',
  none: (what: string) => `No memory passes the filter: ${what}.`,
  drop: (what: string) => `Without ${what} there are some`,
  said: {
    q: (words: string) => `the words ${words}`,
    from: (day: string) => `from ${day}`,
    to: (day: string) => `to ${day}`,
    state: (state: string) => `the state “${state}”`,
  },
} as const;

/** One memory. */
export const READER = {
  back: 'Memories',
  title: 'Memory',
  takeaways: 'Key takeaways',
  transcript: 'Transcript',
  processing: 'This memory is still being processed. Its summary will appear here.',
  noTranscript: 'No transcript yet.',
  gone: 'This memory does not exist, or it was deleted.',
  deleted: 'This memory was deleted. Its text stays on the screen until you leave this page.',
  lineGone: (line: string) => `This transcript has no line ${line}.`,
  lineLost: 'The line of this link is gone: the transcript has changed since.',
  linesLost: 'The lines of this link are gone: the transcript has changed since.',
  actions: 'What you can do',
  find: 'Find',
  up: 'Back',
  findLabel: 'Find in transcript',
  hits: (at: number, count: number, isAll: boolean) => `${at} of ${count}${isAll ? '' : '+'}`,
  noHits: 'not found',
  nextHit: 'Next hit',
  previousHit: 'Previous hit',
  markdown: 'Markdown',
  print: 'Print',
  link: 'Copy link',
  quote: 'Copy quote with link',
  linkCopied: 'Link copied',
  quoteCopied: 'Quote copied',
  noQuote: 'Select text, or click the number of a line first.',
  byHand: 'Copy this',
  range: (first: number, last: number) =>
    first === last ? `Line ${first}` : `Lines ${first} to ${last}`,
  speakers: 'Share of the words',
  others: 'Others',
  near: 'Memories before and after',
  older: 'Memory before',
  newer: 'Memory after',
  nextTurn: 'Next turn of this speaker',
  previousTurn: 'Previous turn of this speaker',
} as const;

/** The calendar and the pages of its days. */
export const CALENDAR = {
  title: 'Calendar',
  years: 'Years',
  days: 'Days',
  totals: (memories: number, length: string) =>
    memories === 0 ? 'no memories' : `${plural(memories, 'memory', 'memories')}, ${length}`,
  gap: (days: string, count: number) => `Longest gap: ${days}, ${plural(count, 'day')}`,
  fewer: 'fewer',
  more: 'more',
  asList: (count: number) => `${plural(count, 'day')} with memories, as a list`,
  emptyYear: (year: string) => `No memories in ${year}.`,
  toImport: 'See how to import recordings',
  order: 'oldest first',
  hours: (hours: number, zone: string) =>
    hours === 0
      ? `${zone} skips this day.`
      : `This day has ${hours} hours in ${zone}, because the clocks change.`,
  emptyDay: 'No memories on this day.',
  previous: 'Previous day',
  next: 'Next day',
  keys: {
    ArrowLeft: 'The day before',
    ArrowRight: 'The day after',
    ArrowUp: 'The week before',
    ArrowDown: 'The week after',
    Home: 'Start of the week',
    End: 'End of the week',
    PageUp: 'The month before',
    PageDown: 'The month after',
  },
} as const;

/** Search. */
export const SEARCH = {
  title: 'Search',
  next: 'Next result',
  previous: 'Previous result',
  open: 'Open the result',
  back: 'Back to where you were',
  hint: 'Type words to find passages with any of them. A "phrase" in quotes or a prefix* must occur.',
  count: (found: number, searched: number) =>
    `Found in ${found.toLocaleString('en')} of ${searched.toLocaleString('en')} memories`,
  none: 'No passages found',
  tooLong: (found: number) =>
    `${found === 1 ? '1 memory has such words, but it is' : `${found.toLocaleString('en')} memories have such words, but they are`} too long for passages.`,
  asList: 'Show the memories with all words',
  kinds: { word: 'Word', phrase: 'Phrase', prefix: 'Begins with' },
  absent: 'In none of your memories:',
  near: '. Try ',
  withoutFilters: 'Search all days and states',
  separate: (phrase: string) => `Search “${phrase}” as separate words`,
  without: (prefix: string) => `Search without “${prefix}*”`,
  passages: (count: number) => plural(count, 'passage'),
  summary: 'Summary',
  name: 'Name',
  changed: 'Memories have changed since this search.',
  again: 'Search again',
  filters: 'Days and state',
  from: 'From',
  to: 'To',
  state: 'State',
  states: { '': 'All', ready: 'Ready', processing: 'Processing' },
} as const;

/** What was added, changed and deleted. */
export const CHANGES = {
  title: 'Changes',
  since: 'Since',
  choices: { visit: 'Since your last visit', yesterday: 'Since yesterday', all: 'All' },
  firstVisit: 'This is your first visit, so you see the changes since yesterday.',
  none: 'Nothing has changed since then.',
  noneEver: 'No changes yet. Imported, changed and deleted memories appear here.',
  upsert: 'Added or changed',
  delete: 'Deleted',
  recorded: (day: string) => `recorded ${day}`,
  count: (count: number) => plural(count, 'memory', 'memories'),
  moreThan: (count: number) => `More than ${count.toLocaleString('en')} memories`,
  show: (count: number) => (count < 100 ? `Show ${count} new` : 'Show 99+ new'),
} as const;

/** The keys, and the list of them. */
export const KEYBOARD = {
  title: 'Keyboard',
  screen: 'On this screen',
  everywhere: 'Everywhere',
  or: 'or',
  sheet: 'These keys',
  calendar: 'Calendar',
  back: 'Back',
  next: 'Next row',
  previous: 'Previous row',
  open: 'Open the memory, as Enter does',
  off: 'Single-letter keys are off. Turn them on in Settings → Reading.',
} as const;

/** Settings → Reading. */
export const READING = {
  title: 'Reading',
  intro: 'Kept in this browser only.',
  theme: 'Colours',
  themes: { system: 'Same as the system', light: 'Light', dark: 'Dark' },
  font: 'Transcript font',
  fonts: { sans: 'Sans serif', serif: 'Serif' },
  zone: 'Time zone',
  keyboard: 'Keyboard',
  letters: 'Single-letter keys',
  lettersHint: 'Turn them off if you use speech input.',
  sample: 'Mira: The crystal has to go back to the supplier on Friday.',
} as const;

/** Settings → API access. */
export const ACCESS = {
  title: 'API access',
  intro: 'A key lets a program read your memories, or a part of them. It can change nothing.',
  base: 'Base address',
  create: 'New key',
  keys: 'Keys',
  none: 'No keys yet. Create one for each program, so that you can revoke each on its own.',
  label: 'Label',
  key: 'Key',
  created: 'Created',
  expires: 'Expires',
  lastUse: 'Last use',
  state: 'State',
  actions: 'Actions',
  ended: (count: number) => plural(count, 'ended key'),
  states: { active: 'active', revoked: 'revoked', expired: 'expired', disabled: 'disabled' },
  neverUsed: 'never used',
  rotate: 'Rotate',
  revoke: 'Revoke',
  notRecorded: 'The database is read-only, so the last use of keys is not recorded.',
} as const;

/** The dialogs about keys. */
export const KEY = {
  title: 'New key',
  label: 'Label',
  labelHint: 'The program that uses it, such as “laptop backup”.',
  expires: 'Expires',
  choices: {
    '30': 'in 30 days',
    '90': 'in 90 days',
    '365': 'in a year',
    date: 'on a date',
    never: 'never',
  },
  date: 'Last day',
  neverWarning:
    'A key that never expires works until you revoke it. If it leaks, you may never notice.',
  create: 'Create key',
  shownTitle: 'Your new key',
  once: 'Copy the key now. Only its hash is stored, so it is never shown again.',
  key: 'API key',
  curl: 'Try it',
  agent: 'Connect an agent',
  noAgent: 'Choose a client…',
  agentFor: (client: string) => `For ${client}`,
  agentPlace: (place: string) => `Put this into ${place}.`,
  waiting: 'Waiting for its first use…',
  works: 'The key works.',
  sessionEnded: 'Your session has ended. Copy the key before you close this, then sign in again.',
  notCopied: 'You have not copied the key. Close anyway?',
  closeAnyway: 'Close without copying',
  back: 'Back to the key',
  rotateTitle: (label: string) => `Rotate “${label}”`,
  rotateHint: 'You get a new key that reads the same. The old key can keep working for a while.',
  grace: 'The old key ends',
  graces: { '0': 'at once', '3600': 'in 1 hour', '86400': 'in 1 day', '604800': 'in 7 days' },
  revokeTitle: (label: string) => `Revoke “${label}”?`,
  revokeHint:
    'Programs that use this key get 401 from their next request on. This cannot be undone.',
  lastUse: (when: string) => `Last use: ${when}.`,
} as const;

/** What a key or a client may read. */
export const SCOPE = {
  reads: 'It may read',
  choices: {
    all: 'Everything',
    summaries: 'Names, times and summaries, but no transcripts',
  },
  days: 'From which days',
  daysChoices: { every: 'All days', some: 'Only some days' },
  from: 'First day',
  until: 'Last day',
  noDay: 'Choose a first day, a last day or all days.',
  order: 'Choose a last day that is not before the first.',
  short: { all: 'everything', summaries: 'no transcripts' },
  after: (date: string) => `from ${date}`,
  before: (moment: string) => `before ${moment}`,
  upTo: (date: string) => `until ${date}`,
  may: (scope: string) => `It may read ${scope}.`,
} as const;

/** Settings → API access: the clients that are connected by OAuth. */
export const GRANTS = {
  title: 'Connected clients',
  intro: 'Clients such as claude.ai ask for your consent when you give them this address.',
  address: 'Connector address',
  none: 'No connected clients.',
  client: 'Client',
  reads: 'May read',
  revokeTitle: (client: string) => `Revoke “${client}”?`,
  revokeHint: 'The client cannot read anything from its next request on.',
} as const;

/** The page on which the owner decides about a client. */
export const CONSENT = {
  title: 'Connect a client',
  asks: (client: string) => `“${client}” wants to read your memories`,
  account: 'Your account',
  redirect: 'The answer goes to',
  document: 'Described at',
  local:
    'The answer goes to a program on your own device. Allow it only if you have just started to connect this program.',
  unverified:
    'Nobody has checked the name of this client. Go by the address above, and deny if you do not know it.',
  verified: (host: string) =>
    `Only ${host} has given this client its name. Deny if you do not know this address.`,
  days: 'For how long',
  daysChoices: { '7': '7 days', '30': '30 days', '90': '90 days', '365': 'a year' },
  allow: 'Allow',
  deny: 'Deny',
  revocable: 'It can change nothing. You can revoke it at any time under Settings → API access.',
  decided: 'Done',
  close: (place: string) => `Your browser goes back to ${place}. You can close this page.`,
  faulty: 'This request has a fault',
  startAgain:
    'Nothing was allowed. Start again at the client. If you see this page again, remove the connection there and add it once more.',
  back: (host: string) => `Tell ${host}`,
} as const;

/** Settings → Devices. */
export const DEVICES = {
  title: 'Devices',
  intro: 'Browsers that are signed in to your account.',
  thisOne: 'this browser',
  since: (when: string) => `signed in ${when}`,
  seen: (when: string) => `seen ${when}`,
  until: (when: string) => `until ${when}`,
  ways: {
    link: 'by link',
    passkey: 'by passkey',
    password: 'by password',
    header: 'by your proxy',
  },
  end: 'End',
  endOthers: 'End all others',
  endedOthers: 'All other sessions have ended.',
  noSession:
    'The program that embeds this gateway decides who is signed in, so there are no devices here.',
  another: 'Sign in another device',
  anotherHint:
    'Open this link on the other device, or scan the code. It works once, within 10 minutes.',
  anotherLink: 'Sign-in link',
  anotherQr: 'QR code of the sign-in link',
  loopback:
    'This address works only on this computer. Open the app at its address in your network first.',
  log: 'Log',
  logIntro: 'The latest sign-ins and changes.',
  events: {
    'signed-in': 'Signed in',
    'signed-out': 'Signed out',
    'sessions-ended': 'Sessions ended',
    'link-created': 'Sign-in link created',
    'key-created': 'Key created',
    'key-rotated': 'Key rotated',
    'key-revoked': 'Key revoked',
    'grant-allowed': 'Client connected',
    'grant-revoked': 'Client revoked',
    'passkey-added': 'Passkey added',
    'passkey-removed': 'Passkey removed',
    'password-set': 'Password set',
    'password-removed': 'Password removed',
  },
} as const;

/** Passkeys and the password. */
export const FACTORS = {
  passkeys: 'Passkeys',
  passkeysHint: 'Sign in with your fingerprint, face or security key instead of a link.',
  noneYet: 'No passkeys yet.',
  add: 'Add a passkey',
  name: 'Name',
  nameHint: 'Where the passkey is, such as “phone”.',
  rename: 'Rename',
  renameOf: (label: string) => `Rename “${label}”`,
  removeOf: (label: string) => `Remove “${label}”?`,
  removePasskey: 'You cannot sign in with it any more.',
  insecure:
    'Browsers have passkeys and install apps only on https addresses with a name. To set up TLS, see docs/howto/tls.md.',
  unavailable: 'This browser or this address has no passkeys.',
  failed: 'The browser did not create a passkey. Try again.',
  password: 'Password',
  passwordHint: 'For addresses without https, where passkeys do not work.',
  passwordSet: 'A password is set.',
  passwordNone: 'No password is set.',
  set: 'Set password',
  change: 'Change password',
  newPassword: 'New password',
  rule: '15 to 1,024 characters. A sentence is fine.',
  removePassword: 'Remove password',
  removePasswordHint: 'You then sign in by link or passkey.',
  stale: 'Sign in again to change passkeys and the password. You can do it for 10 minutes.',
} as const;

/** Settings → About. */
export const ABOUT = {
  title: 'About',
  account: 'Account',
  accountId: 'Account id',
  gateway: 'Memory Gateway',
  node: 'Node',
  database: 'Database',
  docs: 'API reference',
  licences: 'Open-source licences',
  intro: 'Your own gateway serves this app. It sends nothing anywhere else.',
} as const;
