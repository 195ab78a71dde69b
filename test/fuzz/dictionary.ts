// The dictionary of the fuzz test: strings that are special to some parser.

import { crc32 } from 'node:zlib';

import { createKey, SHARED, type Owner } from './accounts.ts';
import type { Corpus } from './corpus.ts';
import { createDice } from './random.ts';

const MARKS =
  '? & = / // . .. %2e%2e %2F %00 %0d%0a %zz % %ff %c0%ae %ed%a0%80 %F0%9F%A5%9B + ; , " * : # @ [ ] { } \\ < > | ^ ` ~ - _ $'.split(
    ' ',
  );

const WORDS =
  'limit cursor order asc desc true false 0 1 2 1000 1001 01 -1 1e3 999999999999999999999 UTC Europe/Berlin US/Pacific-New Etc/GMT+12 2026-01-02 2026-02-30 2026-01-02T03:04:05Z 2026-01-02t03:04:05.123456789+23:59 0000-01-01 9999-12-31T23:59:59-23:59 id,name transcript,transcript toString __proto__ milk caf* "milk, /v1/memories /v1/changes /openapi.json /docs/ http://fuzz ftp://fuzz Bearer bearer Basic gzip br zstd deflate identity ;q=0 ;q=1.0001 W/ chunked close keep-alive 100-continue HTTP/1.1 HTTP/1.0 HTTP/2.0 Host: Content-Length: Transfer-Encoding: X-API-Key: 5 0x5 1;a=b'.split(
    ' ',
  );

const OTHERWISE = [
  '',
  ' ',
  '\t',
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\r',
  '\0',
  '\x7f',
  '\xff\xfe',
  '\x80',
  ' OR 1=1--',
  '0\r\n\r\n',
  'a'.repeat(300),
  '%20'.repeat(100),
  ',"a"'.repeat(100),
  '*,'.repeat(200),
  'gzip;q=0.5,'.repeat(100),
  ...['日本語', 'café', '\u{1F95B}', '\u202E', 'İ', 'e\u0301', '１'].map(asBytes),
];

/**
 * Cursor contents that the gateway never creates. Their checksum is right, because anybody can
 * compute it.
 */
const PLACES: readonly unknown[] = [
  null,
  [],
  { of: 'memories' },
  { of: 'memories', order: 'desc' },
  { of: 'memories', order: 'asc', limit: 2, after: [0, SHARED] },
  { of: 'memories', order: 'desc', after: [Number.MAX_SAFE_INTEGER, 'z'], fields: ['id'] },
  { of: 'memories', order: 'desc', after: [1e300, 'z'] },
  { of: 'memories', order: 'desc', started_after: -1e15, started_before: 8.64e15, q: '"' },
  { of: 'memories', order: 'desc', q: 'milk', is_processing: false, limit: 1 },
  { of: 'memories', order: 'desc', account_id: 'canary-of-bo' },
  { of: 'changes', seq: 0, epoch: '' },
  { of: 'changes', seq: 3, epoch: 'canary-of-bo', limit: 5 },
  { of: 'changes', seq: Number.MAX_SAFE_INTEGER, epoch: '\0' },
  { of: 'changes', seq: -1, epoch: '' },
  JSON.parse('{"of":"memories","order":"desc","__proto__":{"limit":1}}'),
];

const CURSORS = PLACES.map(toCursor);

/** Creates the dictionary. */
export function tokensOf(owners: readonly Owner[], { targets }: Corpus): readonly string[] {
  const keys = owners.flatMap(({ active, dead }) => [...active, ...dead]);
  const stranger = createKey(createDice('stranger', 0));
  const cursors = targets.flatMap((target) => /(?:cursor|since)=(.+)/.exec(target)?.[1] ?? []);
  const ids = owners.flatMap(({ id, memories }) => [id, ...memories.slice(0, 3)]);
  return [MARKS, WORDS, OTHERWISE, keys, [stranger], cursors.slice(0, 40), CURSORS, ids].flat();
}

function toCursor(value: unknown): string {
  const json = Buffer.from(JSON.stringify(value));
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(json));
  return Buffer.concat([sum, json]).toString('base64url');
}

/** Encodes text as UTF-8, one character per byte. */
function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
