// The inputs of the app's own endpoints. The description of a property completes its 422: 'The property "label" takes …'.

import * as v from 'valibot';

import { Label } from '../../contract/schemas/label.ts';
import { AccountId, MemoryId } from '../../contract/schemas/memory.ts';
import { TimeZone } from '../../contract/schemas/moment.ts';
import { canBeStored, ScopeName, ScopeTags } from '../../contract/schemas/parameters.ts';
import { MOST_ITEM_TEXT } from '../../text/item-key.ts';
import { Base64Url, LinkSecret, KeyReads, RecordId, OptionalTime } from './records.ts';

/** The input of endpoints that take none. */
export const Nothing = v.strictObject({});

/** The input of endpoints about one record. */
export const OneRecord = v.strictObject({ id: RecordId });

/** The input of endpoints about one memory. */
export const OneMemoryInput = v.strictObject({ id: MemoryId });

/** What changes in the bookmark of a memory: the star, the note, or an action item that is ticked. An empty bookmark is removed. */
export const BookmarkToChange = v.strictObject({
  id: MemoryId,
  is_starred: v.optional(v.pipe(v.boolean(), v.description('true or false'))),
  note: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(2000),
      v.check(canBeStored),
      v.description('a text of up to 2,000 characters'),
    ),
  ),
  item: v.optional(
    v.pipe(
      v.strictObject({
        text: v.pipe(v.string(), v.maxLength(MOST_ITEM_TEXT), v.check(canBeStored)),
        is_done: v.boolean(),
      }),
      v.description(`an object with "text", of up to ${MOST_ITEM_TEXT} characters, and "is_done"`),
    ),
  ),
});

/** The input of endpoints about one person. */
export const OnePerson = v.strictObject({
  name: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(1000),
    v.description('the name of a person'),
  ),
});

/** Memories to delete or to bring back. */
export const MemoriesToChange = v.strictObject({
  ids: v.pipe(v.array(MemoryId), v.minLength(1), v.description('a list of ids of memories')),
});

/** The input for a sign-in link: the address of the sign-in page as the browser reaches it, for its QR code. */
export const LinkToCreate = v.strictObject({
  page: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^https?:\/\/[^\s?#]{1,400}\/app\/sign-in$/),
      v.description('the address of the sign-in page'),
    ),
  ),
});

/** A sign-in link that somebody has opened. */
export const OpenedLink = v.strictObject({ secret: LinkSecret });

const way = <const W extends string>(name: W) =>
  v.pipe(v.literal(name), v.description('link, password or passkey'));
const onlyThisTime = {
  only_this_time: v.optional(v.pipe(v.boolean(), v.description('true or false')), false),
};

const ByLink = v.strictObject({ way: way('link'), secret: LinkSecret, ...onlyThisTime });
const ByPassword = v.strictObject({
  way: way('password'),
  /** The name or id of the account. Needed if `asks_name` is true. */
  account: v.optional(Label),
  password: v.pipe(v.string(), v.maxLength(4096), v.description('up to 4,096 characters')),
  ...onlyThisTime,
});
const ByPasskey = v.strictObject({
  way: way('passkey'),
  id: Base64Url,
  client_data: Base64Url,
  authenticator_data: Base64Url,
  signature: Base64Url,
  ...onlyThisTime,
});

/** The name of the account to erase, typed by its owner. */
export const AccountToErase = v.strictObject({ name: Label });

/** The secret of the link of the first visit, and the name of the account. */
export const ClaimToTake = v.strictObject({ secret: LinkSecret, name: Label });

/** An import to check or to run, and the time zone of times that name none. */
export const StartedImport = v.strictObject({
  id: RecordId,
  timezone: v.optional(TimeZone, 'UTC'),
});

/** A source to add or to change. Without a key, that of the source with this product and address stays. */
export const NewSource = v.strictObject({
  product: v.pipe(v.string(), v.maxLength(100), v.description('the name of a product')),
  url: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(1000),
      v.description('an address such as https://memories.example'),
    ),
  ),
  key: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(4096),
      v.description('the key of the product, up to 4,096 characters'),
    ),
  ),
  every_minutes: wholeFrom(5, 43_200, 'minutes'),
});

const Line = v.optional(wholeFrom(1, 10_000_000, 'the number of a line'));
const days = v.optional(wholeFrom(1, 90, 'days'), 7);
/**
 * The lines to show, or everything, when it was recorded, as the page says it, and how long the transcript is in which
 * they were chosen: in another one the lines have other numbers.
 */
const shown = {
  first_line: Line,
  last_line: Line,
  when: Label,
  characters: v.optional(wholeFrom(0, 1_000_000_000, 'characters')),
};

/** A share to create. */
export const ShareToCreate = v.strictObject({
  memory_id: MemoryId,
  ...shown,
  days,
  from: v.optional(Label),
  /** In which English its end is written. */
  language: v.optional(v.picklist(['en-GB', 'en-US']), 'en-GB'),
});

/** A memory to save as a file that ends in `form`. `saved` is the day, as the page says it. */
export const PageToSave = v.strictObject({
  id: MemoryId,
  ...shown,
  saved: Label,
  form: v.optional(v.picklist(['html', 'txt', 'json']), 'html'),
});

/** A file of an import, by its number. */
export const FileNumber = v.strictObject({
  id: RecordId,
  n: v.pipe(v.string(), v.regex(/^\d{1,6}$/), v.description('the number of a file')),
});

/** The three ways to sign in from a page, with the properties of all of them in `entries`. */
export const SignIn = {
  ...v.variant('way', [ByLink, ByPassword, ByPasskey]),
  entries: { ...ByPasskey.entries, ...ByPassword.entries, ...ByLink.entries },
};

/** The source and the tags of memories that may be read. */
const scopeFacets = {
  source: v.optional(
    v.pipe(v.nullable(ScopeName), v.description(`${v.getDescription(ScopeName)}, or null`)),
    null,
  ),
  tags: v.optional(ScopeTags, []),
};

/** A key to create. `expires_at` null: never. */
export const NewKeyInput = v.strictObject({
  label: Label,
  expires_at: OptionalTime,
  reads: v.optional(KeyReads, 'all'),
  started_after: v.optional(OptionalTime, null),
  started_before: v.optional(OptionalTime, null),
  ...scopeFacets,
});

/** A rotation of a key, and for how many seconds the old key still works. 0: it ends at once. */
export const Rotation = v.strictObject({ id: RecordId, grace: wholeFrom(0, 2_592_000, 'seconds') });

function wholeFrom(least: number, most: number, unit: string) {
  return v.pipe(
    v.number(),
    v.integer(),
    v.minValue(least),
    v.maxValue(most),
    v.description(`${unit}, from ${least} to ${most}`),
  );
}

/** The query of a client's authorization request, as the page has it in its address. */
const query = v.pipe(
  v.string(),
  v.maxLength(4096),
  v.description('the query of an authorization request, up to 4,096 characters'),
);

/** The request of an OAuth client. */
export const ClientRequest = v.strictObject({ query });

/** What the owner allows a client. */
export const Consent = v.strictObject({
  query,
  /** The account that the page shows. If another one has signed in since, nothing is allowed. */
  account: AccountId,
  reads: KeyReads,
  started_after: OptionalTime,
  started_before: OptionalTime,
  ...scopeFacets,
  days: wholeFrom(1, 365, 'days'),
});

/** What a browser sends of a new passkey. */
export const NewPasskeyInput = v.strictObject({
  label: Label,
  id: Base64Url,
  client_data: Base64Url,
  authenticator_data: Base64Url,
  /** The public key as SPKI, and its COSE algorithm. */
  public_key: Base64Url,
  algorithm: v.pipe(v.picklist([-7, -8, -257]), v.description('-7, -8, -257')),
});

/** The new name of a passkey. */
export const PasskeyLabel = v.strictObject({ id: RecordId, label: Label });

/** A password: 15 to 1,024 characters of any kind. */
export const Password = v.pipe(
  v.string(),
  v.check((text) => Array.from(text).length >= 15 && Array.from(text).length <= 1024),
  v.description('15 to 1,024 characters'),
);

/** A password to set. */
export const PasswordToSet = v.strictObject({ password: Password });
