// A planted fault of a server, for testing the soak test. The program preloads this module, and its URL names the fault.

import { openSync } from 'node:fs';
import { ServerResponse } from 'node:http';

interface Fault {
  /** The finding that the soak test must report. */
  readonly found: RegExp;
  /** Runs at the end of each response and may replace its body. */
  readonly end: (body: unknown, count: number) => unknown;
}

const kept: unknown[] = [];

const FAULTS: Readonly<Record<string, Fault>> = {
  'sends a wrong byte': {
    found: /never written like this|bytes that differ|must have|not the headers/,
    end: (body, count) => (count % 200 === 0 && body instanceof Uint8Array ? flipped(body) : body),
  },
  'keeps memory of every response': {
    found: /^its heap has grown by/,
    end(body) {
      kept.push(Buffer.alloc(10_000, 'kept'));
      return body;
    },
  },
  'leaves files open': {
    found: /files open more/,
    end(body, count) {
      if (count % 100 === 0) openSync('/dev/null', 'r');
      return body;
    },
  },
  'leaves timers behind': {
    found: /handles more/,
    end(body, count) {
      if (count % 100 === 0) setInterval(() => {}, 60_000);
      return body;
    },
  },
  'logs an error': {
    found: /^it logged/,
    end(body, count) {
      if (count === 1000) process.stdout.write('{"level":"error","msg":"planted"}\n');
      return body;
    },
  },
  'ends the process': {
    found: /^it ended with 3$/,
    end: (body, count) => (count === 1000 ? process.exit(3) : body),
  },
};

/** All faults with their module URL, their name and the finding that each must cause. */
export const faults = Object.entries(FAULTS).map(([name, { found }]) => ({
  name,
  found,
  preload: `${import.meta.url}?${encodeURIComponent(name)}`,
}));

function flipped(body: Uint8Array): Uint8Array {
  const other = body.slice();
  const at = other.length >> 1;
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
}

function plant({ end: wrong }: Fault): void {
  const end = Reflect.get(ServerResponse.prototype, 'end') as (...args: unknown[]) => unknown;
  let count = 0;
  Reflect.set(ServerResponse.prototype, 'end', function (this: unknown, ...args: unknown[]) {
    const [body, ...rest] = args;
    const other = wrong(body, ++count);
    return Reflect.apply(end, this, args.length === 0 ? [] : [other, ...rest]);
  });
}

const fault = FAULTS[decodeURIComponent(new URL(import.meta.url).search.slice(1))];
if (fault) plant(fault);
