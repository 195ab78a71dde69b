// The options of serve that limit connections and requests.

import type { Option } from './option.ts';

/** The options that are limits of connections and requests. */
export const limitOptions = {
  'head-timeout': span('HEAD_TIMEOUT', '10s', 'how long the head of a request may take'),
  'request-timeout': span('REQUEST_TIMEOUT', '15s', 'how long a request may take to arrive'),
  'idle-timeout': span('IDLE_TIMEOUT', '5s', 'how long a connection may be idle between requests'),
  'send-timeout': span(
    'SEND_TIMEOUT',
    '2m',
    'how long a reader may take for each 2 MiB of an answer',
  ),
  'max-head': number('MAX_HEAD', '16384', 'how many bytes the head of a request may have'),
  'max-target': number('MAX_TARGET', '8192', 'how many characters the target may have'),
  'max-connections': number(
    'MAX_CONNECTIONS',
    '10000',
    'how many connections there may be at a time, in each worker',
  ),
  'max-requests': number(
    'MAX_REQUESTS',
    '10000',
    'how many requests a connection may bring before it is closed',
  ),
} as const satisfies Record<string, Option>;

/** The name of such an option. */
export type LimitName = keyof typeof limitOptions;

/** The names of these options. */
export const limitNames = Object.keys(limitOptions) as LimitName[];

function span<T extends string>(variable: string, fallback: T, help: string) {
  return { ...number(variable, fallback, help), value: 'SPAN' };
}

function number<T extends string>(variable: string, fallback: T, help: string) {
  return { value: 'N', env: [`MEMORY_GATEWAY_${variable}`], default: fallback, help };
}
