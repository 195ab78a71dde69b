// Long texts: the time that each reader of outside text takes grows with the length, not with its square.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as v from 'valibot';

import { UsageError } from '../../src/cli/args/parse.ts';
import { readBaseUrl, readOrigins, readDuration } from '../../src/cli/args/values.ts';
import { escapeLine } from '../../src/cli/output/terminal.ts';
import { nextCursor } from '../../src/client/response.ts';
import { checkInput } from '../../src/contract/check-input.ts';
import { endpointsOf } from '../../src/contract/endpoints.ts';
import { Failure } from '../../src/contract/failure.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { MemoryId, Timestamp } from '../../src/contract/schemas/memory.ts';
import { Moment, TimeZone } from '../../src/contract/schemas/moment.ts';
import { QueryText } from '../../src/contract/schemas/parameters.ts';
import { splitBracketed } from '../../src/formats/captions/speaker-names.ts';
import type { TextFormat } from '../../src/formats/format.ts';
import { textFormats } from '../../src/formats/formats.ts';
import { fileName } from '../../src/formats/markdown/filename.ts';
import { readTimed } from '../../src/formats/text/lines/timed-line.ts';
import { readProductTime, readAsUtc } from '../../src/formats/time/product-time.ts';
import { timeInName } from '../../src/formats/time/written-time.ts';
import { linesOf } from '../../src/formats/turns/lines.ts';
import { readFeedCursor, readListCursor } from '../../src/gateway/endpoints/cursor.ts';
import { mountOf, readBase, withoutPrefix } from '../../src/gateway/request/base-url.ts';
import { createFindClientIp } from '../../src/gateway/request/client-ip.ts';
import { createNegotiate } from '../../src/gateway/request/encoding.ts';
import { readIfNoneMatch } from '../../src/gateway/request/etag.ts';
import { readTarget } from '../../src/gateway/request/framing.ts';
import { readHeaders } from '../../src/gateway/request/headers.ts';
import { readInput } from '../../src/gateway/request/input.ts';
import { createEndpointMatch } from '../../src/gateway/request/route.ts';
import { isApiKey } from '../../src/store/accounts/api-key.ts';
import { readQuery } from '../../src/text/search-query.ts';

const SHORT = 50_000;
const TIMES = 10;

/** Times below this many milliseconds are too short to measure. */
const NOTHING_MS = 4;

/** Repeated pieces that could make some grammar backtrack. */
const PIECES = [
  ...'a 0 , " / % = & < ; . - : ( * + %41 %ff a= &a /a /. /%2e W/"a", gzip, gzip;q=0.1, *; 2026- 09: ,< <a>; http:// a. :1 日'.split(
    ' ',
  ),
  ' ',
  '\t',
  '\r',
  '\n',
  '\n ',
  'SUMMARY KEYWORDS\n',
  '"a" ',
  '2026-11-18 ',
  ' ;',
  'Anna: ',
  '[a] ',
  'ACTION ITEM: ',
  'From a to ',
  ', ',
  '; rel=',
  '\u0301',
];

const list = routes.memories.list as Route;
const find = createFindClientIp(['10.0.0.1'], { error: () => {} });
const match = createEndpointMatch(endpointsOf<Route>(routes));

function target(text: string, host: string): unknown {
  const rawHeaders = ['Host', host];
  const req = { httpVersion: '1.1', url: text, method: 'GET', rawHeaders };
  return readTarget({
    headers: readHeaders(rawHeaders),
    transport: { req } as Parameters<typeof readTarget>[0]['transport'],
  });
}

function readText(format: TextFormat, text: string): unknown {
  const about = { name: 'a.txt', started_at: 0 };
  if ('read' in format) return format.read(text, about);
  const reader = format.readLines(about);
  linesOf(text).forEach(reader.add);
  return reader.end();
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a target': (text) => target(text, 'h'),
  'a target in absolute-form': (text) => target(`http://${text}`, 'h'),
  'a host': (text) => target('/', text),
  'a path': (text) => match('GET', `/v1/memories/${text}`),
  'a query': (text) => checkInput(list.input, readInput(list, {}, text), 'url'),
  'a name in a query': (text) => checkInput(list.input, readInput(list, {}, `${text}=1`), 'url'),
  'names of fields': (text) => checkInput(list.input, readInput(list, {}, `fields=${text}`), 'url'),
  'a search': (text) => v.is(QueryText, text) && readQuery(text),
  'a moment': (text) => v.is(Moment, text),
  'a timestamp': (text) => v.is(Timestamp, text),
  'a time zone': (text) => v.is(TimeZone, text),
  'an id': (text) => v.is(MemoryId, text),
  'a key': isApiKey,
  'what is behind the time of a line': (text) => readTimed(`00:00\t${text}.`),
  'what is behind a name and a time': (text) => readTimed(`Anna\t00:00\t${text}.`),
  'what is behind a name in brackets': (text) => splitBracketed(`[Anna] ${text}.`),
  'the cursor of a list': readListCursor,
  'the cursor of a feed': readFeedCursor,
  'a condition': (text) => readIfNoneMatch([text], 'br').match('a'),
  'a mount': (text) => mountOf({ url: '/a', originalUrl: `${text}/a` } as object),
  'who asks': (text) => find('10.0.0.1', readHeaders(['x-forwarded-for', text])),
  'a prefix': (text) => withoutPrefix(`${text}/v1`, text),
  'a base address': readBase,
  'a link': nextCursor,
  'a link with text around': (text) => nextCursor(`<a>${text}`),
  'a time as it was found': (text) => readProductTime(text, readAsUtc),
  // An archive cannot hold a longer name.
  'the name of a file': (text) => timeInName(text.slice(0, 65_535)),
  'a name for a file': (text) => fileName({ before: 'a', title: text, after: 'b' }),
  'a line on a terminal': (text) => escapeLine(text, 200),
  origins: readOrigins,
  ...Object.fromEntries(
    textFormats.map((format) => [
      `a line of a transcript in the format ${format.name}`,
      (text: string) => {
        format.matches(text.slice(0, 4096), 'a.txt');
        return readText(format, `Anna  0:01  \n${text}\n`);
      },
    ]),
  ),
  'an option': (text) => readDuration('grace', text),
  'a base address of an option': readBaseUrl,
};

/** Node accepts no more header bytes than this, and the encoding is searched in all of them. */
const HEAD = 16 * 1024;

/** How many times as long a text of TIMES the length may take. Quadratic time would be a hundred times as long. */
const MOST = TIMES * 4;

/** Returns the CPU time for reading a text in milliseconds. */
function costOf(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  attempt(read, text);
  return process.cpuUsage(before).user / 1000;
}

describe('A text that is ten times as long', () => {
  for (const [name, read] of Object.entries(READERS))
    it(`takes about ten times as long to read as ${name}, whatever is in it`, () => {
      for (const piece of PIECES) {
        const cost = (length: number) => costOf(read, piece.repeat(length / piece.length));
        const first = cost(SHORT * TIMES);
        if (first < NOTHING_MS * MOST) continue;
        const short = Math.max(NOTHING_MS, Math.min(cost(SHORT), cost(SHORT)));
        const long = Math.min(first, cost(SHORT * TIMES));
        assert.ok(long < short * MOST, `"${piece}": ${short} ms, then ${long} ms`);
      }
    });

  it('is no Accept-Encoding, but a head full of it is read at once', () => {
    const negotiate = createNegotiate();
    for (const piece of PIECES) {
      const text = piece.repeat(HEAD / piece.length);
      const ask = () => costOf((accepted) => negotiate([accepted]), text);
      const cost = Math.min(ask(), ask());
      assert.ok(cost < 100, `"${piece}": ${cost} ms`);
    }
  });
});

function attempt(read: (text: string) => unknown, text: string): void {
  try {
    read(text);
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof UsageError)) throw error;
  }
}
