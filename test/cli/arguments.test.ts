// Arguments and option values: each text is accepted, or is a usage error of one line that says what to type.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { readArgs } from '../../src/cli/args/args.ts';
import { readIds } from '../../src/cli/args/memory-ids.ts';
import { options, type OptionName } from '../../src/cli/args/options/options.ts';
import { limitOptionNames } from '../../src/cli/args/options/serve-options.ts';
import { UsageError } from '../../src/cli/args/parse.ts';
import { readPostgresOptions, postgresOptionNames } from '../../src/cli/args/postgres.ts';
import { readKeyInput } from '../../src/cli/args/secrets.ts';
import {
  defaultConnections,
  readRequestLimits,
  readBaseUrl,
  readListenAddress,
  readOrigins,
  readPort,
  readSize,
  readDuration,
  readThrottleOption,
  readFutureTime,
} from '../../src/cli/args/values.ts';
import { escapeControls, escapeLine } from '../../src/cli/output/terminal.ts';
import { readProductTime as readFound, readAsUtc } from '../../src/formats/time/product-time.ts';
import { timeInName } from '../../src/formats/time/written-time.ts';
import { createFindClientIp } from '../../src/gateway/request/client-ip.ts';
import { anything, piecesOf } from '../support/model/arbitrary-text.ts';
import { cases } from '../support/world/thorough.ts';

const textOf = (...pieces: string[]) => piecesOf(pieces);

/** Parses a text. Returns undefined for a usage error. Any other error is a bug. */
function read<T>(reading: () => T): T | undefined {
  try {
    return reading();
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    assert.match(error.message, /^[A-Z'-].*[.?]$/s);
    return undefined;
  }
}

/** Checks that every text is accepted or a usage error, and that accepted values are right. */
function holds<T>(of: fc.Arbitrary<string>, reading: (text: string) => T, says: Says<T>): void {
  const check = (text: string): void => {
    const found = read(() => reading(text));
    if (found !== undefined) says(found, text);
  };
  fc.assert(fc.property(of, check), { numRuns: cases(3000) });
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

  it('is a size or a duration: a whole number with a unit', () => {
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
      (text) => readDuration('grace', text),
      (ms, text) => {
        const [amount, unit] = [Number.parseInt(text, 10), text.replace(/^\d+/, '')];
        assert.equal(
          ms,
          amount * 1000 * ({ s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }[unit] ?? 0),
        );
      },
    );
  });

  it('is a future time, before the year 10000', () => {
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
      (text) => readFutureTime('expires', text, now),
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
        assert.equal(readFutureTime('expires', day, now), Date.parse(day));
        assert.equal(readFutureTime('expires', date.toISOString(), now), date.getTime());
      }),
    );
  });

  it('is a limit: a whole number of milliseconds up to an hour, or a count', () => {
    const value = textOf(...digits, 's', 'm', 'h', '10s', '16384');
    fc.assert(
      fc.property(fc.constantFrom(...limitOptionNames), value, (name, text) => {
        const found = read(() =>
          readRequestLimits(readArgs([`--${name}=${text}`], limitOptionNames, { env: {} })),
        );
        if (found === undefined) return;
        const all = [...Object.values(found.limits), found.maxTarget];
        assert.ok(all.every((limit) => Number.isSafeInteger(limit) && limit > 0 && limit < 1e7));
        assert.ok(found.limits.headMs <= found.limits.requestMs);
      }),
      { numRuns: cases(3000) },
    );
  });

  it('is a number of connections by the memory there is', () => {
    const GB = 1e9;
    assert.equal(defaultConnections(GB), 1000);
    assert.equal(defaultConnections(4 * GB), 4000);
    assert.equal(defaultConnections(64 * GB), 10_000, 'at most');
    assert.equal(defaultConnections(0.05 * GB), 100, 'at least');
    const { connections } = readRequestLimits(readArgs([], limitOptionNames, { env: {} })).limits;
    assert.ok(connections >= 100 && connections <= 10_000);
    assert.throws(
      () => readRequestLimits(readArgs(['--max-connections='], limitOptionNames, { env: {} })),
      /--max-connections/,
    );
  });

  it('is an address to listen on, or proxies by address and range', () => {
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
    const place = (text: string) => readListenAddress('admin', text);
    holds(spelt, place, ({ host, port }) => assert.ok(host !== '' && port >= 0 && port <= 65_535));
    const proxies = (text: string) => readThrottleOption('1', text);
    holds(spelt, proxies, ({ proxies: named = [] }, text) => {
      assert.equal(named.join(), text);
      createFindClientIp(named, { error: () => {} })('10.0.0.5', new Map());
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

  it('are read, or a usage error, whatever they are', () => {
    const flags = names.map((name) => `--${name}`);
    const word = fc.oneof(
      fc.constantFrom(...flags, ...flags.map((flag) => `${flag}=x`), '--', '-', '--no-json', '-q'),
      anything,
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), fc.subarray(names), (argv, taken) => {
        const args = read(() => readArgs(argv, taken, { env: {} }));
        for (const name of args ? taken : [])
          if (isSwitch(name)) read(() => args?.flag(name));
          else assert.ok(['string', 'undefined'].includes(typeof args?.text(name)));
      }),
      { numRuns: cases(3000) },
    );
  });

  it('mean the same in any order, with "=" or without', () => {
    // A text that begins with a dash would be taken for another option.
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
          { env: {} },
        );
        assert.deepEqual(args.positionals, positionals);
        for (const { name, value: text } of typed)
          assert.equal(isSwitch(name) ? args.flag(name) : args.text(name), isSwitch(name) || text);
      }),
      { numRuns: cases(1000) },
    );
  });
});

describe('Ids on standard input', () => {
  it('are lines, also those of Windows', async () => {
    const args = readArgs(['-'], [], { env: {} });
    const stdin = { isTTY: false, stream: Readable.from(['a\r\nb\n', '\r\na\nc']) };
    assert.deepEqual(await readIds(args, { stdin }), ['a', 'b', 'c']);
  });
});

describe('A key on standard input', () => {
  it('is read from the first kilobyte, without waiting for more', async () => {
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
        const start = await readKeyInput(input());
        assert.equal(start, Buffer.concat(all).toString('latin1').slice(0, taken));
        assert.ok(taken <= 1024 + 700);
      }),
    );
  });
});

describe('A time in a database or a file name', () => {
  const pieces = ['2026', '-11-18', '20261118', 'T', ' ', '09', ':30', '.5', 'Z', '+01:00', 'GMT'];

  it('is an instant in the years 0 to 9999, or none', () => {
    const spelt = textOf(...pieces, 'Wed, ', '18 ', 'Nov ', '1763458200', 'e9');
    const found = fc.oneof(spelt, fc.double(), fc.constantFrom(null, undefined));
    fc.assert(
      fc.property(found, (time) => {
        const ms = readFound(time, readAsUtc);
        if (ms !== undefined) assert.match(new Date(ms).toISOString(), /^\d{4}-/);
      }),
      { numRuns: cases(3000) },
    );
    const dates = fc.date({ noInvalidDate: true, min: new Date(1e12), max: new Date(9e13) });
    fc.assert(
      fc.property(dates, (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000;
        assert.equal(readFound(date.toISOString(), readAsUtc), date.getTime());
        assert.equal(readFound(date.getTime(), readAsUtc), date.getTime());
        assert.equal(readFound(date.toUTCString(), readAsUtc), seconds);
        assert.equal(readFound(String(date), readAsUtc), seconds);
      }),
    );
  });

  it('in a file name is a valid time, or none', () => {
    fc.assert(
      fc.property(
        textOf(...pieces, '_', '/', ' at ', '9.30', ' PM', 'x', '(1)', '.mp3'),
        (name) => {
          const time = timeInName(name);
          if (time !== undefined) assert.notEqual(readFound(time, readAsUtc), undefined, name);
        },
      ),
      { numRuns: cases(3000) },
    );
  });
});

describe('A text on a terminal', () => {
  it('controls nothing, and is one line of limited length', () => {
    const text = textOf('\u001B[2J', '\u202E', '\r\n', '\u2028', '\t', 'a', '\u{1F95B}', '\uD800');
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (given, most) => {
        assert.doesNotMatch(
          escapeControls(given),
          /(?![\n\t])\p{Cc}|[\u2028-\u202E\u2066-\u2069\uFEFF]/u,
        );
        const line = escapeLine(given, most);
        assert.doesNotMatch(line, /\n|\t/);
        assert.ok(Array.from(line).length <= most);
      }),
      { numRuns: cases(1000) },
    );
  });
});

describe('The options for PostgreSQL servers', () => {
  const names = ['database', ...postgresOptionNames] as const;
  const database = ['--database', 'postgres://host/memories'];
  const servers = (...argv: string[]) => readPostgresOptions(readArgs(argv, names, { env: {} }));
  const refused = (argv: readonly string[], sentence: RegExp) =>
    assert.throws(
      () => servers(...argv),
      (error: Error) => error instanceof UsageError && sentence.test(error.message),
    );

  it('are replicas, separately or with commas, a lag and a number of connections', () => {
    const replicas = ['postgres://a/memories', 'postgresql://b:5433/memories'];
    const all = { replicas, maxLagMs: 60_000, connections: 3 };
    const rest = ['--max-lag', '1m', '--connections', '3'];
    const each = replicas.flatMap((replica) => ['--replica', replica]);
    assert.deepEqual(servers(...database, ...each, ...rest), all);
    assert.deepEqual(servers(...database, '--replica', replicas.join(), ...rest), all);
    assert.deepEqual(servers(...database), { replicas: [], maxLagMs: 10_000, connections: 10 });
  });

  it('are refused for a file', () => {
    assert.equal(servers('--database', 'memories.db'), undefined);
    for (const option of [
      ['--replica', 'postgres://a/b'],
      ['--max-lag', '1s'],
      ['--connections', '1'],
    ])
      refused(option, /^--[a-z-]+ is for PostgreSQL; give --database postgres:/);
  });

  it('refuse files, repeated addresses, a lag of zero and numbers out of range', () => {
    refused([...database, '--replica', 'copy.db'], /^--replica takes addresses/);
    refused([...database, '--replica', 'postgres://a/b,postgres://a/b'], / once\.$/);
    for (const lag of ['0s', '25h', '10'])
      refused([...database, '--max-lag', lag], /^--max-lag takes/);
    for (const n of ['0', '1000', 'many'])
      refused([...database, '--connections', n], /^--connections takes/);
  });

  it('refuse a password in arguments, where other users can see it', () => {
    const secret = 'postgres://me:secret@a/b';
    for (const argv of [
      ['--database', secret],
      [...database, '--replica', `postgres://c/d,${secret}`],
    ])
      refused(
        argv,
        /^Every user of this machine can see --[a-z]+; give a password in MEMORY_GATEWAY_/,
      );
  });
});
