// Arguments and the values of options: each text is read, or is a Mistake of one line that says what to type.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { readAllowance } from '../src/cli/allowance.ts';
import { Mistake, readArgs } from '../src/cli/args.ts';
import { timeInName } from '../src/cli/import/named.ts';
import { limitNames } from '../src/cli/limits.ts';
import { options, type OptionName } from '../src/cli/options.ts';
import { plain, plainLine } from '../src/cli/plain.ts';
import { readStart } from '../src/cli/secret.ts';
import { readServers, serverNames } from '../src/cli/servers.ts';
import {
  readBaseUrl,
  readBind,
  readOrigins,
  readPort,
  readSize,
  readSpan,
  readThrottle,
  readTime,
  readWorkers,
} from '../src/cli/values.ts';
import { readTime as readFound, utc } from '../src/formats/time.ts';
import { createFindAddress } from '../src/gateway/address.ts';
import { anything, piecesOf } from './support/texts.ts';

const textOf = (...pieces: string[]) => piecesOf(pieces);

/** Reads a text; undefined where it is a Mistake. Anything else that is thrown is a bug. */
function read<T>(reading: () => T): T | undefined {
  try {
    return reading();
  } catch (error) {
    assert.ok(error instanceof Mistake, String(error));
    assert.match(error.message, /^[A-Z'-].*\.$/s);
    return undefined;
  }
}

/** Holds of every text that it is taken or a Mistake, and of what is taken what is said. */
function holds<T>(of: fc.Arbitrary<string>, reading: (text: string) => T, says: Says<T>): void {
  const check = (text: string): void => {
    const found = read(() => reading(text));
    if (found !== undefined) says(found, text);
  };
  fc.assert(fc.property(of, check), { numRuns: 3000 });
}

type Says<T> = (found: T, text: string) => void;

describe('The value of an option', () => {
  const digits = ['0', '1', '9', '65535', '65536', '128', '-', '+', '.', 'e', ' ', '\n', '１'];

  it('is a port from 0 to 65535 in digits', () => {
    holds(textOf(...digits), readPort, (port, text) => {
      assert.ok(port >= 0 && port <= 65_535);
      assert.match(text, /^\d+$/);
    });
    fc.assert(fc.property(fc.nat(65_535), (port) => readPort(String(port)) === port));
  });

  it('is 1 to 128 workers', () => {
    holds(textOf(...digits), readWorkers, (count, text) => assert.equal(String(count), text));
    for (let count = 1; count <= 128; count++) assert.equal(readWorkers(String(count)), count);
  });

  it('is a size, or a span, which is a whole number of some unit', () => {
    const spelt = textOf(...digits, 'kB', 'MB', 'GB', 'K', 's', 'm', 'h', 'd', 'w');
    holds(
      spelt,
      (text) => readSize('cache', text),
      (bytes, text) => {
        const [amount, unit] = [Number.parseInt(text, 10), text.replace(/^\d+/, '')];
        assert.equal(bytes, amount * ({ kB: 1e3, MB: 1e6, GB: 1e9 }[unit] ?? 0));
      },
    );
    holds(
      spelt,
      (text) => readSpan('grace', text),
      (ms, text) => {
        const [amount, unit] = [Number.parseInt(text, 10), text.replace(/^\d+/, '')];
        assert.equal(
          ms,
          amount * 1000 * ({ s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }[unit] ?? 0),
        );
      },
    );
  });

  it('is a time to come, before the year 10000', () => {
    const now = Date.UTC(2026, 10, 22);
    const spelt = textOf(
      '2027',
      '-',
      '02',
      '30',
      '31',
      'T',
      '09:00',
      ':00',
      'Z',
      '9999-12-31',
      '9d',
    );
    holds(
      spelt,
      (text) => readTime('expires', text, now),
      (time) => {
        assert.ok(time > now && time < Date.UTC(10_000, 0));
      },
    );
    const days = fc.date({
      noInvalidDate: true,
      min: new Date(now + 86_400_000),
      max: new Date('9999-12-31'),
    });
    fc.assert(
      fc.property(days, (date) => {
        const day = date.toISOString().slice(0, 10);
        assert.equal(readTime('expires', day, now), Date.parse(day));
        assert.equal(readTime('expires', date.toISOString(), now), date.getTime());
      }),
    );
  });

  it('is a limit: a whole number of milliseconds up to an hour, or a count', () => {
    const value = textOf(...digits, 's', 'm', 'h', '10s', '16384');
    fc.assert(
      fc.property(fc.constantFrom(...limitNames), value, (name, text) => {
        const found = read(() => readAllowance(readArgs([`--${name}=${text}`], limitNames)));
        if (found === undefined) return;
        const all = [...Object.values(found.limits), found.maxTarget];
        assert.ok(all.every((limit) => Number.isSafeInteger(limit) && limit > 0 && limit < 1e7));
        assert.ok(found.limits.headMs <= found.limits.requestMs);
      }),
      { numRuns: 3000 },
    );
  });

  it('is a place to listen, or proxies by address and range', () => {
    const spelt = textOf(
      '127.0.0.1',
      '[::1]',
      '::1',
      ':',
      '9464',
      'h',
      '/8',
      '/129',
      ',',
      '10.0.0.5',
    );
    const place = (text: string) => readBind('admin', text);
    holds(spelt, place, ({ host, port }) => assert.ok(host !== '' && port >= 0 && port <= 65_535));
    const proxies = (text: string) => readThrottle('1', text);
    holds(spelt, proxies, ({ proxies: named = [] }, text) => {
      assert.equal(named.join(), text);
      createFindAddress(named, { error: () => {} })('10.0.0.5', new Map());
    });
  });

  it('is origins as browsers send them, or a base address', () => {
    const spelt = textOf('https://', 'http://', 'a.example', ':8080', ',', '/', 'null', '*', 'A');
    holds(spelt, readOrigins, (origins, text) => {
      assert.equal(origins.join(), text);
      for (const origin of origins) assert.equal(new URL(origin).origin, origin);
    });
    holds(spelt, readBaseUrl, (base) => assert.doesNotMatch(base, /[\s?#<>"]|\/$/));
  });
});

describe('Arguments', () => {
  const names = Object.keys(options) as OptionName[];
  const isSwitch = (name: OptionName) => !('value' in options[name]);

  it('are read, or a Mistake, whatever they are', () => {
    const flags = names.map((name) => `--${name}`);
    const word = fc.oneof(
      fc.constantFrom(...flags, ...flags.map((flag) => `${flag}=x`), '--', '-', '--no-json', '-q'),
      anything,
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), fc.subarray(names), (argv, taken) => {
        const args = read(() => readArgs(argv, taken));
        for (const name of args ? taken : [])
          if (isSwitch(name)) read(() => args?.flag(name));
          else assert.ok(['string', 'undefined'].includes(typeof args?.text(name)));
      }),
      { numRuns: 3000 },
    );
  });

  it('mean what was typed, in any order, with "=" or without', () => {
    // What begins with a dash would be taken for another option.
    const value = anything.filter((text) => text !== '' && !text.startsWith('-'));
    const given = fc.record({ name: fc.constantFrom(...names), value, isJoined: fc.boolean() });
    const all = fc.uniqueArray(given, { selector: ({ name }) => name });
    fc.assert(
      fc.property(all, fc.array(value), (typed, positionals) => {
        const argv = typed.flatMap(({ name, value: text, isJoined }) => {
          if (isSwitch(name)) return [`--${name}`];
          return isJoined ? [`--${name}=${text}`] : [`--${name}`, text];
        });
        const args = readArgs(
          [...positionals.slice(0, 1), ...argv, ...positionals.slice(1)],
          names,
        );
        assert.deepEqual(args.positionals, positionals);
        for (const { name, value: text } of typed)
          assert.equal(isSwitch(name) ? args.flag(name) : args.text(name), isSwitch(name) || text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('A key on standard input', () => {
  it('is looked for in the first kilobyte or so, whatever comes, and no more is waited for', async () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(parts, async (all) => {
        let taken = 0;
        async function* input() {
          for (const part of all) {
            taken += part.length;
            yield Buffer.from(part);
          }
        }
        const start = await readStart(input());
        assert.equal(start, Buffer.concat(all).toString('latin1').slice(0, taken));
        assert.ok(taken <= 1024 + 700);
      }),
    );
  });
});

describe('A time as it was found', () => {
  const pieces = ['2026', '-11-18', '20261118', 'T', ' ', '09', ':30', '.5', 'Z', '+01:00', 'GMT'];

  it('is a moment of the years 0 to 9999, or none', () => {
    const spelt = textOf(...pieces, 'Wed, ', '18 ', 'Nov ', '1763458200', 'e9');
    const found = fc.oneof(spelt, fc.double(), fc.constantFrom(null, undefined));
    fc.assert(
      fc.property(found, (time) => {
        const ms = readFound(time, utc);
        if (ms !== undefined) assert.match(new Date(ms).toISOString(), /^\d{4}-/);
      }),
      { numRuns: 3000 },
    );
    const dates = fc.date({ noInvalidDate: true, min: new Date(1e12), max: new Date(9e13) });
    fc.assert(
      fc.property(dates, (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000;
        assert.equal(readFound(date.toISOString(), utc), date.getTime());
        assert.equal(readFound(date.getTime(), utc), date.getTime());
        assert.equal(readFound(date.toUTCString(), utc), seconds);
        assert.equal(readFound(String(date), utc), seconds);
      }),
    );
  });

  it('in the name of a file is one that can be read, or none', () => {
    fc.assert(
      fc.property(
        textOf(...pieces, '_', '/', ' at ', '9.30', ' PM', 'x', '(1)', '.mp3'),
        (name) => {
          const time = timeInName(name);
          if (time !== undefined) assert.notEqual(readFound(time, utc), undefined, name);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('A text on a terminal', () => {
  it('steers nothing, and a line is one line of no more than it may have', () => {
    const text = textOf('\u001B[2J', '\u202E', '\r\n', '\u2028', '\t', 'a', '\u{1F95B}', '\uD800');
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (given, most) => {
        assert.doesNotMatch(plain(given), /(?![\n\t])\p{Cc}|[\u2028-\u202E\u2066-\u2069\uFEFF]/u);
        const line = plainLine(given, most);
        assert.doesNotMatch(line, /\n|\t/);
        assert.ok(Array.from(line).length <= most);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('The options of servers', () => {
  const names = ['database', ...serverNames] as const;
  const database = ['--database', 'postgres://host/memories'];
  const servers = (...argv: string[]) => readServers(readArgs(argv, names));
  const refused = (argv: readonly string[], sentence: RegExp) =>
    assert.throws(
      () => servers(...argv),
      (error: Error) => error instanceof Mistake && sentence.test(error.message),
    );

  it('are replicas, given one by one or with commas between, a lag and connections', () => {
    const replicas = ['postgres://a/memories', 'postgresql://b:5433/memories'];
    const all = { replicas, maxLagMs: 60_000, connections: 3 };
    const rest = ['--max-lag', '1m', '--connections', '3'];
    const each = replicas.flatMap((replica) => ['--replica', replica]);
    assert.deepEqual(servers(...database, ...each, ...rest), all);
    assert.deepEqual(servers(...database, '--replica', replicas.join(), ...rest), all);
    assert.deepEqual(servers(...database), { replicas: [], maxLagMs: 10_000, connections: 10 });
  });

  it('are none of a file', () => {
    assert.equal(servers('--database', 'memories.db'), undefined);
    for (const option of [
      ['--replica', 'postgres://a/b'],
      ['--max-lag', '1s'],
      ['--connections', '1'],
    ])
      refused(option, /^--[a-z-]+ is for PostgreSQL; give --database postgres:/);
  });

  it('are no files, no address twice, no lag of nothing and no connections without bounds', () => {
    refused([...database, '--replica', 'copy.db'], /^--replica takes addresses/);
    refused([...database, '--replica', 'postgres://a/b,postgres://a/b'], / once\.$/);
    for (const lag of ['0s', '25h', '10'])
      refused([...database, '--max-lag', lag], /^--max-lag takes/);
    for (const n of ['0', '1000', 'many'])
      refused([...database, '--connections', n], /^--connections takes/);
  });

  it('have no password among the arguments, where everybody sees it', () => {
    const secret = 'postgres://me:secret@a/b';
    for (const argv of [
      ['--database', secret],
      [...database, '--replica', `postgres://c/d,${secret}`],
    ])
      refused(argv, /^Everybody on this machine sees --[a-z]+; give a password in MEMORY_GATEWAY_/);
  });
});
