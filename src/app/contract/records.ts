// The records of the app's endpoints: what sessions, keys, passkeys and sign-ins look like in JSON.

import * as v from 'valibot';

import { AccountId, Timestamp } from '../../contract/schemas/memory.ts';

/** How somebody has signed in. */
export const Way = v.picklist(['link', 'passkey', 'password', 'header']);

/** The secret of a sign-in link: 256 random bits as base64url. */
export const LinkSecret = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{43}$/),
  v.description('the secret of a sign-in link'),
);

/** A QR code: how many modules wide it is, and the path of an SVG in units of one module. */
export const QrCode = v.object({ size: v.number(), path: v.string() });

/** A new sign-in link. It has a QR code if the sign-in page is known. */
export const NewLink = v.object({
  secret: LinkSecret,
  expires_at: Timestamp,
  qr_code: v.nullable(QrCode),
});

/** An address of this machine for other devices. */
export const DeviceAddress = v.object({
  /** The address of the app, such as `http://192.168.1.20:8787/app/`. */
  url: v.string(),
  /** How devices get there: over Tailscale, over the network of this machine, or by the base URL of the operator. */
  by: v.picklist(['tailscale', 'network', 'base-url']),
  /** Whether this gateway has just answered there, to itself. */
  answers: v.boolean(),
});

/** Bytes as base64url without padding. */
export const Base64Url = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,4000}$/),
  v.description('bytes as base64url'),
);

/** The id of a session, key or passkey. */
export const RecordId = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,1400}$/),
  v.description('an id from the list'),
);

/** A time, or null. */
export const OptionalTime = v.pipe(
  v.nullable(Timestamp),
  v.description('a UTC time such as 2027-01-31T00:00:00.000Z, or null'),
);

/** The ways to sign in that this gateway has at the address of the request. */
export const Ways = v.object({
  passkey: v.boolean(),
  password: v.boolean(),
  /** Whether a password needs the name of an account, because there are several. */
  asks_name: v.boolean(),
  /** What people type on the machine of the gateway to run the program: `memory-gateway`, or how a clone runs it. */
  command: v.string(),
  /** The option that names the database in these commands, if a browser on the machine of the gateway asks. Empty elsewhere. */
  database_option: v.string(),
});

/** A session of the account. */
export const SessionEntry = v.object({
  id: RecordId,
  way: Way,
  /** The browser in a few words, such as "Firefox on Linux". */
  agent: v.string(),
  created_at: Timestamp,
  seen_at: Timestamp,
  ends_at: Timestamp,
  is_current: v.boolean(),
});

/** What a key or a client may read: everything, or everything except transcripts. */
export const KeyReads = v.pipe(v.picklist(['all', 'summaries']), v.description('all or summaries'));

/** What a key or a client may read, and of which memories. Null: no bound, and from any source. No tags: with any. */
const scope = {
  reads: KeyReads,
  started_after: OptionalTime,
  started_before: OptionalTime,
  source: v.nullable(v.string()),
  tags: v.array(v.string()),
};

/** An API key, without the key itself. */
export const Key = v.object({
  id: RecordId,
  label: v.string(),
  last_four: v.string(),
  created_at: Timestamp,
  expires_at: OptionalTime,
  revoked_at: OptionalTime,
  /** When the key was last used, to the minute. Null: never, or not recorded. */
  last_used_at: OptionalTime,
  ...scope,
  state: v.picklist(['active', 'revoked', 'expired', 'disabled']),
});

/** A path that a key has read in the last 30 days, how often, and when last, to the minute. */
export const ReadPath = v.object({ path: v.string(), last_at: Timestamp, count: v.number() });

/** A new API key. Its text appears in this response and nowhere else. */
export const NewKey = v.object({ ...Key.entries, key: v.string() });

/** A client that the owner has connected. */
export const Grant = v.object({
  id: RecordId,
  /** The name that the client gives itself. */
  client: v.string(),
  client_id: v.string(),
  /** The host or scheme that its code was sent to. */
  redirect: v.string(),
  ...scope,
  created_at: Timestamp,
  expires_at: Timestamp,
  /** When it was last used, to the minute. Null: never, or not recorded. */
  last_used_at: OptionalTime,
});

/** A client that asks, or why its request has a fault and where the client expects to hear it. */
export const AskingClient = v.object({
  client: v.nullable(
    v.object({
      id: v.string(),
      name: v.string(),
      redirect: v.string(),
      /** Whether the code goes to a program on the owner's machine. */
      is_local: v.boolean(),
      /** Whether the host of the redirect has published who the client is. */
      is_verified: v.boolean(),
    }),
  ),
  problem: v.nullable(v.string()),
  back: v.nullable(v.string()),
});

/** What stands for the key in the configuration of an agent. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY';

/** How a client is connected to this gateway: an assistant, or another program. */
export const AgentSetup = v.object({
  /** The client's name for people. */
  client: v.string(),
  kind: v.picklist(['assistant', 'program']),
  /** Where the text belongs: a file, a form or a terminal. */
  place: v.string(),
  /** The configuration, with `YOUR_API_KEY` in place of the key. */
  text: v.string(),
  /** What its key needs to read. */
  reads: v.picklist(['all', 'summaries']),
  /** What to do once the text is in its place, as a sentence. Null: nothing. */
  afterwards: v.nullable(v.string()),
});

/** The challenge that a passkey signs. */
export const Challenge = v.object({
  challenge: Base64Url,
  rp_id: v.string(),
  /** For a new passkey: the handle and name of the account, and the ids of its passkeys. */
  user: v.nullable(v.object({ handle: Base64Url, name: v.string() })),
  passkeys: v.array(RecordId),
});

/** A passkey of the account. */
export const Passkey = v.object({
  id: RecordId,
  label: v.string(),
  created_at: Timestamp,
  last_used_at: OptionalTime,
});

/** What the shell knows about itself and its reader. */
export const Me = v.object({
  account: v.object({ id: AccountId, name: v.string() }),
  /** The session of the request. Null if the embedding program decides who is signed in. */
  session: v.nullable(SessionEntry),
  /** The address of the public API, such as `https://host.example/v1`. */
  api_url: v.string(),
  /** The address that OAuth clients are given. Null: this gateway connects none. */
  connect_url: v.nullable(v.string()),
  /** Whether keys and sessions can be changed. False if the database is read-only. */
  can_write: v.boolean(),
  /** Whether files can be imported and sources set up in the app. */
  can_import: v.boolean(),
  /** The command that begins with memories of one's own, because this is the demo. Null: it is not. */
  start_command: v.nullable(v.string()),
  /** Whether memories can be shared in the app. */
  can_share: v.boolean(),
  /** Whether the gateway serves recordings of the account. */
  can_listen: v.boolean(),
  /** The names that own the eight colours of people, which are those with the most memories. Empty: nobody. */
  hues: v.array(v.string()),
  /** Until when passkeys and passwords can be changed: a sign-in counts as new for 10 minutes. Null: they cannot. */
  fresh_until: v.nullable(Timestamp),
  /** Whether the account has sample memories. */
  has_samples: v.boolean(),
  /** How many days deleted memories stay in the bin. 0: they are erased at once. Null: the app deletes none. */
  bin_days: v.nullable(v.number()),
  /** Whether the use of keys is recorded, and the paths that they read. */
  records_last_use: v.boolean(),
  records_reads: v.boolean(),
  ways: Ways,
  has_password: v.boolean(),
  /** Where signing out leads, if a proxy or the embedding program signs people in. */
  sign_out_url: v.nullable(v.string()),
  /** The SQLite file, if a browser on the machine of the gateway asks. Null elsewhere. */
  kept: v.nullable(v.object({ path: v.string(), bytes: v.number(), backup_at: OptionalTime })),
  versions: v.object({ gateway: v.string(), node: v.string(), database: v.string() }),
});
