// Handlers of shares: an owner makes a link to a memory or to some lines, sees its visits, and revokes it.

import * as v from 'valibot';

import { Failure } from '../../../contract/failure.ts';
import { failure } from '../../../contract/statuses.ts';
import { DAY_MS, toJsonRecord } from '../../../lib/time.ts';
import type { ListedShare } from '../../../store/app/owner-stores.ts';
import { ShareContent, type ShareEntry } from '../../contract/share-records.ts';
import type { AppContext } from '../app-parts.ts';
import { DONE, type GroupOf } from '../call.ts';
import { findAccount } from './account.ts';
import { readContent } from './notes.ts';
import { dayOf } from './shared-page.ts';

const READ_ONLY =
  'The app of this gateway is read-only, so it shares nothing; ask its operator to serve it with --app on.';

/** The longest share, in characters: fifty of them do not fill a disk. */
const MAX_LENGTH = 2_000_000;

/** The handlers of shares. */
export const shareHandlers: GroupOf<'shares'> = {
  list: async ({ app, store, reader }) => {
    requireShares(app);
    return { output: (await store.shares.list(reader.account_id)).map(toEntry) };
  },

  create: async (call) => {
    const { app, store, agent, input } = call;
    requireShares(app);
    const account = await findAccount(call);
    const { days, from, language, ...chosen } = input;
    const expires_at = app.gateway.now() + days * DAY_MS;
    const until = dayOf(expires_at, language);
    const content = JSON.stringify({ ...(await readContent(call, account, chosen)), from, until });
    if (content.length > MAX_LENGTH)
      throw new Failure(
        422,
        'This memory is too long for one link; mark some lines, and share them.',
      );
    const { memory_id } = chosen;
    const share = { account_id: account.id, memory_id, content, expires_at, agent };
    const created = await store.shares.create(share);
    if (created === undefined) throw failure(404);
    const entry = toEntry({ ...created.record, in_bin: false });
    return { output: { ...entry, secret: created.secret } };
  },

  revoke: async ({ app, store, reader: { account_id }, agent, input: { id } }) => {
    requireShares(app);
    if (await store.shares.remove({ account_id, id, agent })) return DONE;
    throw new Failure(404, 'There is no link with this id in your account; reload the list.');
  },
};

function requireShares({ shares }: AppContext): void {
  if (shares !== true) throw new Failure(403, READ_ONLY);
}

function toEntry(share: ListedShare): v.InferOutput<typeof ShareEntry> {
  const { title, first, total, lines } = v.parse(ShareContent, JSON.parse(share.content));
  return {
    ...toJsonRecord(share),
    title,
    first_line: first,
    last_line: first + lines.length - 1,
    total_lines: total,
  };
}
