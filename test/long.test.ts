// Long texts: whatever reads what comes from outside is done with a megabyte in seconds, as it goes over it once.

import { describe, it } from 'node:test';

import * as v from 'valibot';

import { Mistake } from '../src/cli/args.ts';
import { timeInName } from '../src/cli/import/named.ts';
import { plainLine } from '../src/cli/plain.ts';
import { readBaseUrl, readOrigins, readSpan } from '../src/cli/values.ts';
import { nextCursor } from '../src/client/link.ts';
import type { Route } from '../src/contract/api.ts';
import { endpointsOf } from '../src/contract/endpoints.ts';
import { Failure } from '../src/contract/failure.ts';
import { MemoryId, Timestamp } from '../src/contract/memory.ts';
import { Moment, TimeZone } from '../src/contract/moment.ts';
import { Query } from '../src/contract/parameters.ts';
import { routes } from '../src/contract/routes.ts';
import { fileName } from '../src/formats/filename.ts';
import { readTime, utc } from '../src/formats/time.ts';
import { createFindAddress } from '../src/gateway/address.ts';
import { mountOf, readBase, withoutPrefix } from '../src/gateway/base.ts';
import { negotiate } from '../src/gateway/coding.ts';
import { readCondition } from '../src/gateway/condition.ts';
import { readFeedCursor, readListCursor } from '../src/gateway/cursor.ts';
import { readTarget } from '../src/gateway/framing.ts';
import { readHeaders } from '../src/gateway/headers.ts';
import { readInput } from '../src/gateway/input.ts';
import { createMatch } from '../src/gateway/match.ts';
import { isApiKey } from '../src/store/apikey.ts';
import { readQuery } from '../src/store/words.ts';

const MEGABYTE = 1_000_000;

/** What a text is made of that some grammar might go over again and again. */
const PIECES = [
  ...'a 0 , " / % = & < ; . - : ( * + %41 %ff a= &a /a /. /%2e W/"a", gzip, gzip;q=0.1, *; 2026- 09: ,< <a>; http:// a. :1 日'.split(
    ' ',
  ),
  ' ',
  '\t',
  '"a" ',
  '2026-11-18 ',
  ' ;',
  ', ',
  '; rel=',
  '\u0301',
];

const list = routes.memories.list as Route;
const find = createFindAddress(['10.0.0.1'], { error: () => {} });
const match = createMatch(endpointsOf<Route>(routes));

function target(text: string, host: string): unknown {
  const rawHeaders = ['Host', host];
  const request = { httpVersion: '1.1', url: text, method: 'GET', rawHeaders };
  return readTarget(request as Parameters<typeof readTarget>[0], readHeaders(rawHeaders));
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a target': (text) => target(text, 'h'),
  'a target in absolute-form': (text) => target(`http://${text}`, 'h'),
  'a host': (text) => target('/', text),
  'a path': (text) => match('GET', `/v1/memories/${text}`),
  'a query': (text) => readInput(list, {}, text),
  'a name in a query': (text) => readInput(list, {}, `${text}=1`),
  'names of fields': (text) => readInput(list, {}, `fields=${text}`),
  'a search': (text) => v.is(Query, text) && readQuery(text),
  'a moment': (text) => v.is(Moment, text),
  'a timestamp': (text) => v.is(Timestamp, text),
  'a time zone': (text) => v.is(TimeZone, text),
  'an id': (text) => v.is(MemoryId, text),
  'a key': isApiKey,
  'the cursor of a list': readListCursor,
  'the cursor of a feed': readFeedCursor,
  'a condition': (text) => readCondition([text], 'br').match('a'),
  'a mount': (text) => mountOf({ url: '/a', originalUrl: `${text}/a` } as object),
  'who asks': (text) => find('10.0.0.1', readHeaders(['x-forwarded-for', text])),
  'a prefix': (text) => withoutPrefix(`${text}/v1`, text),
  'a base address': readBase,
  'a link': nextCursor,
  'a link with text around': (text) => nextCursor(`<a>${text}`),
  'a time as it was found': (text) => readTime(text, utc),
  // An archive gives no name of more.
  'the name of a file': (text) => timeInName(text.slice(0, 65_535)),
  'a name for a file': (text) => fileName({ before: 'a', title: text, after: 'b' }),
  'a line on a terminal': (text) => plainLine(text, 200),
  origins: readOrigins,
  'an option': (text) => readSpan('grace', text),
  'a base address of an option': readBaseUrl,
};

/** Node lets no more of a head through than this, and a coding is looked for in all of it. */
const HEAD = 16 * 1024;

describe('A text of a megabyte', () => {
  for (const [name, read] of Object.entries(READERS))
    it(`is read as ${name}, whatever it is made of`, { timeout: 20_000 }, () => {
      for (const piece of PIECES) attempt(read, piece.repeat(MEGABYTE / piece.length));
    });

  it('is no Accept-Encoding, but a head full of it is read at once', { timeout: 20_000 }, () => {
    for (const piece of PIECES) negotiate([piece.repeat(HEAD / piece.length)]);
  });
});

function attempt(read: (text: string) => unknown, text: string): void {
  try {
    read(text);
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof Mistake)) throw error;
  }
}
